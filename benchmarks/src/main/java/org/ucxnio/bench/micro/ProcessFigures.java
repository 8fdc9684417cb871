package org.ucxnio.bench.micro;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** What Linux tells about a process: memory, descriptors, processor time. */
final class ProcessFigures {
    private static final long BYTES_PER_KIB = 1024;

    private ProcessFigures() {}

    /** A figure of {@code /proc/self/smaps_rollup}, such as {@code Pss}, in bytes. */
    static long mapsBytes(String name) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps_rollup"));
        for (String line : lines) {
            if (line.startsWith(name + ":")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * BYTES_PER_KIB;
            }
        }
        throw new IOException("no " + name + " in /proc/self/smaps_rollup");
    }

    /** Number of open descriptors of this process, without the one that counts them. */
    static int descriptors() throws IOException {
        int count = -1;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path entry : entries) {
                count += entry.getNameCount() > 0 ? 1 : 0;
            }
        }
        return count;
    }

    /** Processor time of all threads of process {@code pid}, ns. Threads that ended are not in it. */
    static long processorNanos(long pid) throws IOException {
        long total = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/" + pid + "/task"))) {
            for (Path task : tasks) {
                total += threadNanos(task);
            }
        }
        return total;
    }

    private static long threadNanos(Path task) throws IOException {
        try {
            String text = Files.readString(task.resolve("schedstat"));
            return Long.parseLong(text.substring(0, text.indexOf(' ')));
        } catch (NoSuchFileException ended) {
            return 0;
        }
    }
}
