package org.ucxnio.connect;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ucxnio.config.Config;
import org.ucxnio.posix.Posix;
import org.ucxnio.session.UserIds;

/**
 * Whom this process exchanges worker addresses with: hosts of trusted networks, and, where {@code ucxnio.host=ucx} has UCX carry the
 * connections of one host as well, processes of the same user here; and which ports are known to have no companion. Thread-safe.
 */
final class PeerRules {
    private static final String UNTRUSTED = "peer on another host that is not trusted";
    private static final String LOCAL = "peer on this host, and ucxnio.host is not ucx";
    private static final int MAX_REMEMBERED = 4096;
    private static final long LOCAL_ADDRESS_NANOS = 10_000_000_000L;

    private record Plain(String reason, long untilNanos) {}

    private record LocalAnswer(boolean local, long untilNanos) {}

    private final Config config;
    private final Posix posix;
    private final UserIds userIds;
    private final boolean networkUsable;
    private final boolean hostOverUcx;
    private final Map<InetSocketAddress, Plain> knownPlain = new ConcurrentHashMap<>();
    private final Map<InetAddress, LocalAnswer> localAddresses = new ConcurrentHashMap<>();

    PeerRules(Config config, Posix posix, UserIds userIds, boolean networkUsable, boolean hostOverUcx) {
        this.config = config;
        this.posix = posix;
        this.userIds = userIds;
        this.networkUsable = networkUsable;
        this.hostOverUcx = hostOverUcx;
    }

    /** Why a connection to {@code target} is plain from the start, or null when a companion is worth trying. */
    String plainReason(InetSocketAddress target) {
        String outOfReach = outOfReach(target.getAddress());
        if (outOfReach != null) {
            return outOfReach;
        }
        Plain known = knownPlain.get(target);
        if (known != null) {
            if (System.nanoTime() - known.untilNanos() < 0) {
                return known.reason();
            }
            knownPlain.remove(target);
        }
        return null;
    }

    void rememberPlain(InetSocketAddress target, String reason) {
        if (knownPlain.size() >= MAX_REMEMBERED) {
            knownPlain.clear();
        }
        if (config.plainMemoryNanos() > 0) {
            knownPlain.put(target, new Plain(reason, System.nanoTime() + config.plainMemoryNanos()));
        }
    }

    /** Forgets what is known of a port, since a listener of this process has just taken it. */
    void forgetPort(int port) {
        knownPlain.keySet().removeIf(address -> address.getPort() == port);
    }

    /** Why no process at an address is trusted, or null where one may be. */
    private String outOfReach(InetAddress address) {
        if (isLocal(address)) {
            return hostOverUcx ? null : LOCAL;
        }
        return networkUsable && config.trust().contains(address) ? null : UNTRUSTED;
    }

    boolean isLocal(InetAddress address) {
        if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
            return true;
        }
        LocalAnswer answer = localAddresses.get(address);
        if (answer == null || System.nanoTime() - answer.untilNanos() >= 0) {
            answer = new LocalAnswer(hasInterface(address), System.nanoTime() + LOCAL_ADDRESS_NANOS);
            if (localAddresses.size() >= MAX_REMEMBERED) {
                localAddresses.clear();
            }
            localAddresses.put(address, answer);
        }
        return answer.local();
    }

    private static boolean hasInterface(InetAddress address) {
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    /**
     * Decides on the process at the other end of an established connection.
     *
     * @return null when it is trusted, otherwise why not
     */
    String distrust(InetSocketAddress local, InetSocketAddress remote) {
        String outOfReach = outOfReach(remote.getAddress());
        return outOfReach == null && isLocal(remote.getAddress()) ? distrust(posix.ownerOf(remote, local)) : outOfReach;
    }

    private String distrust(int owner) {
        if (owner < 0) {
            return "peer of unknown user";
        }
        if (owner != posix.effectiveUserId()) {
            return "peer of another user";
        }
        return userIds.standsForOneUser(owner) ? null : "peer whose user number stands for several users";
    }
}
