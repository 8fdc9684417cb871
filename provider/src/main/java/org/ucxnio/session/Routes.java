package org.ucxnio.session;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** The ways to all listeners that this process has connections to. Owned by the session thread. */
final class Routes {
    private static final int MAX_ROUTES = 4096;

    /** @param local only where the way begins there: null on this host */
    private record Target(InetAddress local, InetSocketAddress listener) {
        /** Written out, as the one of a record costs a process 7 ms at first. */
        @Override
        public boolean equals(Object other) {
            return other instanceof Target target
                    && Objects.equals(local, target.local)
                    && listener.equals(target.listener);
        }

        @Override
        public int hashCode() {
            return 31 * Objects.hashCode(local) + listener.hashCode();
        }
    }

    private final SelectorProvider platform;
    private final Meeting meeting;
    private final SessionSetting setting;
    private final Map<Target, Route> byTarget = new HashMap<>();

    /** Until when listeners of other hosts are known to have no companion. */
    private final Map<Target, Long> plainUntil = new HashMap<>();

    /** @param meeting null where connections of this host stay */
    Routes(SelectorProvider platform, Meeting meeting, SessionSetting setting) {
        this.platform = platform;
        this.meeting = meeting;
        this.setting = setting;
    }

    void request(Pairing pairing) {
        if (pairing.addresses().needsInterface()) {
            setting.members().staysPlain(pairing, "link-local addresses do not name a connection");
            return;
        }
        InetSocketAddress listener = pairing.addresses().remote();
        InetAddress local = pairing.addresses().local().getAddress();
        boolean onThisHost = isOnThisHost(local, listener.getAddress());
        if (onThisHost && meeting == null) {
            setting.members().staysPlain(pairing, "connections of one host stay plain, as ucxnio.host is off");
            return;
        }
        Target target = new Target(onThisHost ? null : local, listener);
        if (isKnownPlain(target)) {
            setting.members().staysPlain(pairing, Route.NOBODY);
            return;
        }
        Route route = byTarget.get(target);
        if (route == null && byTarget.size() >= MAX_ROUTES) {
            setting.members().staysPlain(pairing, "this process has sessions with too many peers");
            return;
        }
        if (route == null) {
            route = open(target);
            byTarget.put(target, route);
        }
        route.request(pairing);
    }

    private boolean isOnThisHost(InetAddress local, InetAddress remote) {
        return setting.network() == null
                || remote.equals(local)
                || setting.network().isLocal(remote);
    }

    private Route open(Target target) {
        Way way = target.local() == null
                ? new RendezvousWay(meeting, target.listener())
                : new CompanionWay(platform, setting, target.local(), target.listener());
        return new Route(way, setting, () -> unused(target));
    }

    private void unused(Target target) {
        Route route = byTarget.remove(target);
        if (target.local() != null && !route.wasConnected()) {
            if (plainUntil.size() >= MAX_ROUTES) {
                plainUntil.clear();
            }
            plainUntil.put(target, System.nanoTime() + setting.network().plainMemoryNanos());
        }
    }

    private boolean isKnownPlain(Target target) {
        Long until = plainUntil.get(target);
        if (until == null) {
            return false;
        }
        if (System.nanoTime() - until < 0) {
            return true;
        }
        plainUntil.remove(target);
        return false;
    }
}
