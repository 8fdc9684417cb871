package org.ucxnio.it.harness;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A mount namespace with a {@code /dev/shm} of its own, of any size, which nobody but the JVMs started in it uses. It is gone after
 * {@link #close}, or with this JVM.
 */
public final class PrivateShm implements AutoCloseable {
    private final Holder holder;

    private PrivateShm(Holder holder) {
        this.holder = holder;
    }

    /**
     * Makes one.
     *
     * @param size as {@code mount} takes it, such as {@code 64m}
     * @throws IOException with what was said, where that is not possible
     */
    public static PrivateShm open(String size) throws IOException {
        return new PrivateShm(
                Holder.start("mount -t tmpfs -o size=" + size + ",mode=1777 tmpfs /dev/shm", "unshare", "--mount"));
    }

    /** Words that run a command in there. */
    public String[] words() {
        return new String[] {"nsenter", "--target", holder.pid(), "--mount"};
    }

    /** The files in it, by the way that leads to each; directories are not told of. */
    public List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        Files.walkFileTree(path(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                names.add(path().relativize(file).toString());
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {
                    // Removed at this moment by one of those who are at it.
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }
        });
        Collections.sort(names);
        return names;
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

    /** Where this JVM sees it. */
    public Path path() {
        return holder.proc().resolve("root/dev/shm");
    }

    @Override
    public void close() {
        holder.close();
    }
}
