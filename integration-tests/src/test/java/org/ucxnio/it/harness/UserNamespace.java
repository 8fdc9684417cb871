package org.ucxnio.it.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A user namespace with users and groups of our choice and nothing else of its own, as a rootless container has that shares the host's
 * network. It is gone after {@link #close}, or with this JVM.
 */
public final class UserNamespace implements AutoCloseable {
    private static final String READY = "READY";

    private final Process holder;

    private UserNamespace(Process holder) {
        this.holder = holder;
    }

    /**
     * Makes one.
     *
     * @param map as {@code /proc/PID/uid_map} takes it: first number inside, first number outside, how many
     * @throws IOException with what was said, where that is not possible
     */
    public static UserNamespace open(String map) throws IOException {
        // It ends with its standard input.
        Process holder = new ProcessBuilder("unshare", "--user", "sh", "-c", "echo " + READY + " && exec cat")
                .redirectErrorStream(true)
                .start();
        var output = new BufferedReader(new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        try {
            if (!READY.equals(line)) {
                throw new IOException("no user namespace: " + line);
            }
            Path files = Path.of("/proc", Long.toString(holder.pid()));
            Files.writeString(files.resolve("uid_map"), map);
            Files.writeString(files.resolve("gid_map"), map);
            return new UserNamespace(holder);
        } catch (IOException e) {
            holder.destroyForcibly();
            throw e;
        }
    }

    /** Words that run a command in there, as a user and a group by their numbers inside. */
    public String[] as(int user) {
        return new String[] {
            "nsenter", "--target", Long.toString(holder.pid()), "--user", "--setuid=" + user, "--setgid=" + user
        };
    }

    @Override
    public void close() {
        holder.destroyForcibly();
    }
}
