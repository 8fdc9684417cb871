package org.ucxnio.it.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * A mount namespace with a {@code /dev/shm} of its own, of any size, which nobody but the JVMs started in it uses. It is gone after
 * {@link #close}, or with this JVM.
 */
public final class PrivateShm implements AutoCloseable {
    private static final String READY = "READY";

    private final Process holder;

    private PrivateShm(Process holder) {
        this.holder = holder;
    }

    /**
     * Makes one.
     *
     * @param size as {@code mount} takes it, such as {@code 64m}
     * @throws IOException with what was said, where that is not possible
     */
    public static PrivateShm open(String size) throws IOException {
        // It ends with its standard input.
        Process holder = new ProcessBuilder(
                        "unshare",
                        "--mount",
                        "sh",
                        "-c",
                        "mount -t tmpfs -o size=" + size + ",mode=1777 tmpfs /dev/shm && echo " + READY
                                + " && exec cat")
                .redirectErrorStream(true)
                .start();
        var output = new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        if (!READY.equals(line)) {
            holder.destroyForcibly();
            throw new IOException("no /dev/shm of its own: " + line);
        }
        return new PrivateShm(holder);
    }

    /** Words that run a command in there. */
    public String[] words() {
        return new String[] {"nsenter", "--target", Long.toString(holder.pid()), "--mount"};
    }

    /** The names of the files in it. */
    public List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(path())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Makes a file in it that nobody has written to since {@code modified}. */
    public void create(String name, Instant modified) throws IOException {
        Path file = Files.createFile(path().resolve(name));
        Files.setLastModifiedTime(file, FileTime.from(modified));
    }

    /** Fills it, but for {@code leftBytes}. */
    public void fill(long leftBytes) throws IOException {
        long bytes = path().toFile().getUsableSpace() - leftBytes;
        try (var out = Files.newOutputStream(path().resolve("filling"))) {
            byte[] page = new byte[4096];
            for (long written = 0; written + page.length <= bytes; written += page.length) {
                out.write(page);
            }
        }
    }

    private Path path() {
        return Path.of("/proc", Long.toString(holder.pid()), "root/dev/shm");
    }

    @Override
    public void close() {
        holder.destroyForcibly();
    }
}
