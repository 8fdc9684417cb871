package org.ucxnio.memory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How much memory this process could have at most: that of the machine, or what its control groups allow. */
public final class MachineMemory {
    private static final long UNKNOWN = Long.MAX_VALUE;
    private static final long KIB = 1024;
    private static final int PART = 4;

    /** Fields of a line of {@code /proc/self/cgroup}: hierarchy, controllers, path. */
    private static final int FIELDS = 3;

    private final Path root;

    private MachineMemory(Path root) {
        this.root = root;
    }

    /** What the slabs of this process take at most where nothing else was said, in bytes: a quarter. */
    public static long defaultLimit() {
        return defaultLimit(Path.of("/"));
    }

    /** The same, out of the files below another root. */
    static long defaultLimit(Path root) {
        MachineMemory machine = new MachineMemory(root);
        return Math.min(machine.physical(), machine.controlGroups()) / PART;
    }

    private long physical() {
        for (String line : lines("proc/meminfo")) {
            if (line.startsWith("MemTotal:")) {
                return number(line.split("\\s+")[1], KIB);
            }
        }
        return UNKNOWN;
    }

    /** The least of the limits of this process's group and of those around it. */
    private long controlGroups() {
        // In a container the groups are often mounted at the root while their paths are those of the host.
        long least = Math.min(limit("sys/fs/cgroup/memory.max"), limit("sys/fs/cgroup/memory/memory.limit_in_bytes"));
        for (String line : lines("proc/self/cgroup")) {
            String[] fields = line.split(":", FIELDS);
            if (fields.length == FIELDS && fields[1].isEmpty()) {
                least = Math.min(least, limits("sys/fs/cgroup", fields[2], "memory.max"));
            } else if (fields.length == FIELDS && List.of(fields[1].split(",")).contains("memory")) {
                least = Math.min(least, limits("sys/fs/cgroup/memory", fields[2], "memory.limit_in_bytes"));
            }
        }
        return least;
    }

    private long limits(String mount, String group, String file) {
        long least = UNKNOWN;
        for (String path = group; path.length() > 1; path = path.substring(0, path.lastIndexOf('/'))) {
            least = Math.min(least, limit(mount + path + "/" + file));
        }
        return least;
    }

    private long limit(String file) {
        List<String> lines = lines(file);
        return lines.isEmpty() ? UNKNOWN : number(lines.get(0).strip(), 1);
    }

    private static long number(String text, long unit) {
        try {
            return Math.multiplyExact(Long.parseLong(text), unit);
        } catch (NumberFormatException | ArithmeticException e) {
            // "max", or more than there can be.
            return UNKNOWN;
        }
    }

    private List<String> lines(String file) {
        try {
            return Files.readAllLines(root.resolve(file), StandardCharsets.UTF_8);
        } catch (IOException | RuntimeException e) {
            return List.of();
        }
    }
}
