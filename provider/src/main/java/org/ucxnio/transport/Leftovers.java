package org.ucxnio.transport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import org.ucxnio.counters.Log;

/**
 * Shared memory that killed processes leave behind. UCX takes the name away from its memory as soon as it has made it, so that nothing
 * is left of a process that dies; one that is killed in between leaves a file of up to two megabytes. Such a file is told by its name, its
 * owner, its age, and that no process has it mapped. Thread-safe.
 */
final class Leftovers {
    private static final String FILES = "ucx_shm_posix_*";
    private static final long MIN_AGE_MILLIS = 60_000;

    /** With this, which only the environment can say, UCX keeps the names as long as it uses the memory. */
    private static final String KEEPS_NAMES = "UCX_POSIX_USE_PROC_LINK";

    private final Path folder;
    private final Path processes;
    private final long minAgeMillis;

    Leftovers(Path folder, Path processes, long minAgeMillis) {
        this.folder = folder;
        this.processes = processes;
        this.minAgeMillis = minAgeMillis;
    }

    /** Those of this host; null where UCX was told to do otherwise than it does. */
    static Leftovers ofThisHost() {
        if (System.getenv(KEEPS_NAMES) != null) {
            return null;
        }
        return new Leftovers(Transport.SHM_FOLDER, Path.of("/proc"), MIN_AGE_MILLIS);
    }

    /** Removes what there is; returns how many files. */
    int sweep() {
        int removed = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, FILES)) {
            UserPrincipal me = Files.getOwner(processes.resolve("self"));
            for (Path file : files) {
                if (isLeftBehind(file, me) && Files.deleteIfExists(file)) {
                    removed++;
                    Log.debug("Removed what a killed process left: " + file);
                }
            }
        } catch (IOException | RuntimeException e) {
            Log.debug("Shared memory of killed processes is not looked for: " + e);
        }
        return removed;
    }

    private boolean isLeftBehind(Path file, UserPrincipal me) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(me)
                && System.currentTimeMillis() - Files.getLastModifiedTime(file).toMillis() > minAgeMillis
                && !isMapped(file.getFileName().toString());
    }

    private boolean isMapped(String name) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(processes, "[0-9]*")) {
            for (Path process : all) {
                if (maps(process).contains(name)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String maps(Path process) {
        try {
            return Files.readString(process.resolve("maps"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // Another user's, whose files are not ours, or gone.
            return "";
        }
    }
}
