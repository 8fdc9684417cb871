package org.ucxnio.session;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/** The ways to all listeners that this process has connections to. Owned by the session thread. */
final class Routes {
    private static final int MAX_ROUTES = 4096;

    private final Meeting meeting;
    private final SessionSetting setting;
    private final Map<InetSocketAddress, Route> byAddress = new HashMap<>();

    Routes(Meeting meeting, SessionSetting setting) {
        this.meeting = meeting;
        this.setting = setting;
    }

    void request(Pairing pairing) {
        if (pairing.addresses().needsInterface()) {
            setting.members().staysPlain(pairing, "link-local addresses do not name a connection");
            return;
        }
        InetSocketAddress address = pairing.addresses().remote();
        Route route = byAddress.get(address);
        if (route == null && byAddress.size() >= MAX_ROUTES) {
            setting.members().staysPlain(pairing, "this process has sessions with too many peers");
            return;
        }
        if (route == null) {
            route = new Route(meeting, setting, address, () -> byAddress.remove(address));
            byAddress.put(address, route);
        }
        route.request(pairing);
    }
}
