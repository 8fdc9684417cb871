package org.ucxnio.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/** A control group of a test, of version 1 or 2. Processes that are started in it go before it does. */
public final class ControlGroup implements AutoCloseable {
    private static final Path MOUNT = Path.of("/sys/fs/cgroup");
    private static final int PERIOD_MICROS = 100_000;
    private static final int PERCENT = 100;

    private final Path path;
    private final boolean first;

    private ControlGroup(Path path, boolean first) {
        this.path = path;
        this.first = first;
    }

    /**
     * Makes one that may have so much memory.
     *
     * @throws IOException where this user may not, or the kernel has none
     */
    public static ControlGroup open(long bytes) throws IOException {
        return open("memory", "memory.limit_in_bytes", "memory.max", Long.toString(bytes));
    }

    /**
     * Makes one that may have so much processor time.
     *
     * @param percent of one processor's
     * @throws IOException where this user may not, or the kernel has none
     */
    public static ControlGroup ofProcessorTime(int percent) throws IOException {
        String quota = Integer.toString(PERIOD_MICROS / PERCENT * percent);
        // Both periods are what the kernel begins with.
        return open("cpu", "cpu.cfs_quota_us", "cpu.max", quota);
    }

    private static ControlGroup open(String controller, String file1, String file2, String limit) throws IOException {
        String name = "ucxnio-it-" + ProcessHandle.current().pid();
        Path version1 = MOUNT.resolve(controller);
        boolean first = Files.exists(version1.resolve("cgroup.procs"));
        ControlGroup group = new ControlGroup((first ? version1 : MOUNT).resolve(name), first);
        Files.createDirectory(group.path);
        try {
            Files.writeString(group.path.resolve(first ? file1 : file2), limit);
            return group;
        } catch (IOException e) {
            group.close();
            throw e;
        }
    }

    /** Words before a command that has it run in this group. */
    public String[] words() {
        return new String[] {"sh", "-c", "echo $$ > '" + path + "/cgroup.procs' && exec \"$@\"", "sh"};
    }

    /** Bytes that its processes have, what the kernel keeps for them included. */
    public long used() throws IOException {
        return Long.parseLong(Files.readString(path.resolve(first ? "memory.usage_in_bytes" : "memory.current"))
                .strip());
    }

    @Override
    public void close() {
        // The kernel takes a moment to take in the end of a process.
        Awaitility.await("the end of " + path)
                .atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> {
                    Files.delete(path);
                    return true;
                });
    }
}
