package org.ucxnio.bench.measure;

import java.util.Arrays;
import java.util.List;
import org.ucxnio.bench.child.Settings;

/**
 * Where the other processes of a measurement tell their processor time.
 *
 * @param clients ports of clients beside the one that measures
 * @param servers ports of servers
 */
public record Clocks(List<Integer> clients, List<Integer> servers) {
    public Clocks {
        clients = List.copyOf(clients);
        servers = List.copyOf(servers);
    }

    /** Those of one client and its servers. */
    public static Clocks ofServers(int... ports) {
        return new Clocks(List.of(), Arrays.stream(ports).boxed().toList());
    }

    /**
     * Those of {@code clock-port}, or of {@code clock-ports}, separated by commas. So many as {@code servers} says are the servers', which
     * come first; without that setting all are.
     */
    static Clocks of(Settings settings) {
        List<Integer> all = Arrays.stream(settings.integers("clock-ports", "clock-port"))
                .boxed()
                .toList();
        int servers = settings.integer("servers", all.size());
        return new Clocks(all.subList(servers, all.size()), all.subList(0, servers));
    }
}
