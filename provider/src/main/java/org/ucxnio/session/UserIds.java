package org.ucxnio.session;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the user numbers that the kernel tells this process mean. In a user namespace, such as that of a rootless container, the kernel
 * tells one number for every user that the namespace does not map: the overflow number, usually that of {@code nobody}. That number
 * proves nothing, unless the namespace maps all users. Immutable.
 */
public final class UserIds {
    private static final int DEFAULT_OVERFLOW = 65_534;

    /** The numbers 0 to 4294967294; the one behind them is nobody's. */
    private static final long ALL_USERS = 0xffff_ffffL;

    /** The second number on the line {@code Uid:} of {@code status}: real, effective, saved, file system. */
    private static final int EFFECTIVE = 2;

    private final Path proc;
    private final int overflow;
    private final boolean mapsAllUsers;

    private UserIds(Path proc, int overflow, boolean mapsAllUsers) {
        this.proc = proc;
        this.overflow = overflow;
        this.mapsAllUsers = mapsAllUsers;
    }

    /** What they mean in the user namespace of this process, which is the same for its whole life. */
    public static UserIds ofThisProcess() {
        return readFrom(Path.of("/proc"));
    }

    /** The same out of a folder with files like those of {@code /proc}. What cannot be read is taken for the worst. */
    public static UserIds readFrom(Path proc) {
        return new UserIds(proc, overflow(proc), mapsAllUsers(proc));
    }

    private static int overflow(Path proc) {
        try {
            return Integer.parseUnsignedInt(
                    lines(proc.resolve("sys/kernel/overflowuid")).get(0).strip());
        } catch (IOException | RuntimeException e) {
            return DEFAULT_OVERFLOW;
        }
    }

    private static boolean mapsAllUsers(Path proc) {
        try {
            long mapped = 0;
            for (String line : lines(proc.resolve("self/uid_map"))) {
                // First number inside, first number outside, how many. The kernel lets no two lines overlap.
                mapped += Long.parseLong(line.strip().split("\\s+")[2]);
            }
            return mapped >= ALL_USERS;
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file, StandardCharsets.US_ASCII);
    }

    /** Whether a number that the kernel told stands for one user, and not for every user that the namespace does not map. */
    public boolean standsForOneUser(int id) {
        return mapsAllUsers || id != overflow;
    }

    /** The effective user of this process. */
    int effective() throws IOException {
        Path status = proc.resolve("self/status");
        try {
            for (String line : lines(status)) {
                if (line.startsWith("Uid:")) {
                    return Integer.parseUnsignedInt(line.split("\\s+")[EFFECTIVE]);
                }
            }
        } catch (IOException | RuntimeException e) {
            throw new IOException("the user of this process cannot be read from " + status, e);
        }
        throw new IOException("the user of this process does not stand in " + status);
    }
}
