package org.ucxnio.it.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Copies of class path entries, side by side in a folder of this JVM's own and gone with it: none is of an earlier build, and no other test
 * JVM writes them.
 */
final class Copies {
    private static final String FOLDER_RIGHTS = "rwxr-xr-x";
    private static final String FILE_RIGHTS = "rw-r--r--";

    private final Path parent;
    private final String prefix;

    // Made at the first call, for most JVMs need none.
    private Path root;

    /** @param parent a folder whose every user who shall read the copies may enter it */
    Copies(Path parent, String prefix) {
        this.parent = parent;
        this.prefix = prefix;
    }

    /** The copy of a JAR or of a folder, made at the first call; every user may read it, wherever the original lies. */
    synchronized Path of(Path original) {
        try {
            if (root == null) {
                root = Files.createTempDirectory(Files.createDirectories(parent), prefix);
                allow(root, FOLDER_RIGHTS);
                Runtime.getRuntime().addShutdownHook(new Thread(this::remove, "copies-reaper"));
            }
            Path copy = root.resolve(original.getFileName());
            if (!Files.exists(copy)) {
                copyTree(original, copy);
            }
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copyTree(Path from, Path to) throws IOException {
        for (Path file : tree(from)) {
            Path copy = to.resolve(from.relativize(file).toString());
            Files.copy(file, copy);
            allow(copy, Files.isDirectory(copy) ? FOLDER_RIGHTS : FILE_RIGHTS);
        }
    }

    private static List<Path> tree(Path top) throws IOException {
        try (Stream<Path> files = Files.walk(top)) {
            return files.toList();
        }
    }

    private static void allow(Path file, String rights) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    }

    private void remove() {
        try {
            for (Path file :
                    tree(root).stream().sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            System.err.println("Left behind: " + root + ": " + e);
        }
    }
}
