package org.ucxnio.ucx.jucx;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ucxnio.ucx.UcxUnavailableException;

/**
 * Where JUCX looks for UCX by itself: the JVM's library path, by the names that development packages have. It loads what it finds there
 * by path, also where the same library is loaded from elsewhere: two libraries of one name share some of their data, and the process
 * crashes or hangs as it ends. So JUCX's find is used, or nothing.
 */
final class OwnSearch {
    private static final List<String> NAMES = List.of("libucm.so", "libucs.so", "libuct.so", "libucp.so");

    private OwnSearch() {}

    /** The directory that JUCX takes libraries of UCX from; null where it finds none. */
    static Path result() {
        for (String directory : System.getProperty("java.library.path", "").split(File.pathSeparator)) {
            for (String name : NAMES) {
                Path file = Path.of(directory, name);
                if (!directory.isEmpty() && Files.exists(file)) {
                    return file.getParent();
                }
            }
        }
        return null;
    }

    /** @throws UcxUnavailableException saying how to start the JVM where the user wants another UCX than JUCX finds */
    static void requireSame(Path found, String wanted) throws UcxUnavailableException {
        if (wanted.isEmpty()) {
            return;
        }
        Path path = Path.of(wanted).toAbsolutePath();
        Path directory = Files.isDirectory(path) ? path : path.getParent();
        if (!isSame(found, directory)) {
            throw new UcxUnavailableException("JUCX loads UCX from '" + found + "', and ucxnio.ucx.path names '"
                    + wanted + "': start Java with -Djava.library.path=" + directory);
        }
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException e) {
            return false;
        }
    }
}
