package org.ucxnio.memory;

import java.nio.file.Path;
import java.util.List;
import org.ucxnio.jdk.ControlGroups;

/** How much memory this process could have at most: that of the machine, or what its control groups allow. */
public final class MachineMemory {
    private static final long UNKNOWN = Long.MAX_VALUE;
    private static final long KIB = 1024;
    private static final int PART = 4;

    /** Of control groups of version 2, and of version 1. */
    private static final List<String> LIMITS = List.of("memory.max", "memory.limit_in_bytes");

    private MachineMemory() {}

    /** What the slabs of this process take at most where nothing else was said, in bytes: a quarter. */
    public static long defaultLimit() {
        return defaultLimit(Path.of("/"));
    }

    /** The same, out of the files below another root. */
    static long defaultLimit(Path root) {
        return Math.min(physical(root), controlGroups(root)) / PART;
    }

    private static long physical(Path root) {
        for (String line : ControlGroups.lines(root.resolve("proc/meminfo"))) {
            if (line.startsWith("MemTotal:")) {
                return number(line.split("\\s+")[1], KIB);
            }
        }
        return UNKNOWN;
    }

    /** The least of the limits of this process's group and of those around it. */
    private static long controlGroups(Path root) {
        ControlGroups groups = new ControlGroups(root, "memory");
        long least = UNKNOWN;
        for (String file : LIMITS) {
            for (String limit : groups.values(file)) {
                least = Math.min(least, number(limit, 1));
            }
        }
        return least;
    }

    private static long number(String text, long unit) {
        try {
            return Math.multiplyExact(Long.parseLong(text), unit);
        } catch (NumberFormatException | ArithmeticException e) {
            // "max", or more than there can be.
            return UNKNOWN;
        }
    }
}
