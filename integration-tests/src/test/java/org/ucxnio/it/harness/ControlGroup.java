package org.ucxnio.it.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/** A memory control group of a test, of version 1 or 2. Processes that are started in it go before it does. */
public final class ControlGroup implements AutoCloseable {
    private static final Path VERSION_1 = Path.of("/sys/fs/cgroup/memory");
    private static final Path VERSION_2 = Path.of("/sys/fs/cgroup");

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
        String name = "ucxnio-it-" + ProcessHandle.current().pid();
        boolean first = Files.exists(VERSION_1.resolve("memory.limit_in_bytes"));
        ControlGroup group = new ControlGroup((first ? VERSION_1 : VERSION_2).resolve(name), first);
        Files.createDirectory(group.path);
        try {
            Files.writeString(group.path.resolve(first ? "memory.limit_in_bytes" : "memory.max"), Long.toString(bytes));
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
