package org.ucxnio.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What {@code /proc} tells of a process. */
public final class Proc {
    private static final long TICKS_PER_SECOND = 100;

    private Proc() {}

    public static int descriptors(long pid) throws IOException {
        return descriptorLinks(pid).size();
    }

    private static List<Path> descriptorLinks(long pid) throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
            return entries.toList();
        }
    }

    /** The highest number that a descriptor of the process has. */
    public static int highestDescriptor(long pid) throws IOException {
        return descriptorLinks(pid).stream()
                .mapToInt(link -> Integer.parseInt(link.getFileName().toString()))
                .max()
                .orElse(-1);
    }

    /** What the descriptors of a process are, without the numbers that tell one pipe from another, and how many of each. */
    public static Map<String, Long> descriptorKinds(long pid) throws IOException {
        return descriptorLinks(pid).stream()
                .collect(Collectors.groupingBy(Proc::kind, TreeMap::new, Collectors.counting()));
    }

    private static String kind(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().replaceAll("[0-9a-f]*[0-9]+[0-9a-f]*", "N");
        } catch (IOException closedMeanwhile) {
            return "closed";
        }
    }

    /** The pipes that a process has an end of. */
    public static Set<String> pipes(long pid) throws IOException {
        Set<String> pipes = new TreeSet<>();
        for (Path descriptor : descriptorLinks(pid)) {
            try {
                pipes.add(Files.readSymbolicLink(descriptor).toString());
            } catch (NoSuchFileException closedMeanwhile) {
                // It is none of those that stay.
            }
        }
        pipes.removeIf(name -> !name.startsWith("pipe:"));
        return pipes;
    }

    public static int threads(long pid) throws IOException {
        return (int) statusKib(pid, "Threads:");
    }

    public static long residentKib(long pid) throws IOException {
        return statusKib(pid, "VmRSS:");
    }

    /** Processor time of all threads so far. */
    public static long cpuMillis(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
        return TimeUnit.SECONDS.toMillis(ticks) / TICKS_PER_SECOND;
    }

    /** Bytes of shared memory that a process has mapped and that are files: those of rings, and those of UCX. */
    public static long sharedMemoryBytes(long pid) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "maps"))) {
            return lines.filter(Proc::isSharedMemory).mapToLong(Proc::bytes).sum();
        }
    }

    /** Mappings of such memory. The files have no names any more, or never had; only a process that maps them still shows them. */
    public static int sharedMappings(long pid) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "maps"))) {
            return (int) lines.filter(Proc::isSharedMemory).count();
        }
    }

    private static boolean isSharedMemory(String mapping) {
        return mapping.contains("/dev/shm")
                || mapping.contains("/s-")
                || mapping.contains("/memfd:ucxnio")
                || mapping.contains("SYSV");
    }

    private static long bytes(String mapping) {
        String[] ends = mapping.substring(0, mapping.indexOf(' ')).split("-");
        return Long.parseUnsignedLong(ends[1], 16) - Long.parseUnsignedLong(ends[0], 16);
    }

    private static long statusKib(long pid, String key) throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return lines.filter(line -> line.startsWith(key))
                    .map(line -> line.replaceAll("[^0-9]", ""))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElseThrow(() -> new IOException("No " + key + " for process " + pid));
        }
    }
}
