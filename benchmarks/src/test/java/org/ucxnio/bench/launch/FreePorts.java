package org.ucxnio.bench.launch;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Ports for the processes of a test. */
public final class FreePorts {
    private FreePorts() {}

    /** So many, as the setting {@code ports} has them. */
    public static String list(int count) throws LaunchException {
        Set<Integer> ports = new LinkedHashSet<>();
        while (ports.size() < count) {
            ports.add(Ports.free());
        }
        return ports.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
