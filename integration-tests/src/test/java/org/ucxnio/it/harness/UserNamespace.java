package org.ucxnio.it.harness;

import java.io.IOException;
import java.nio.file.Files;

/**
 * A user namespace with users and groups of our choice and nothing else of its own, as a rootless container has that shares the host's
 * network. It is gone after {@link #close}, or with this JVM.
 */
public final class UserNamespace implements AutoCloseable {
    private final Holder holder;

    private UserNamespace(Holder holder) {
        this.holder = holder;
    }

    /**
     * Makes one.
     *
     * @param map as {@code /proc/PID/uid_map} takes it: first number inside, first number outside, how many
     * @throws IOException with what was said, where that is not possible
     */
    public static UserNamespace open(String map) throws IOException {
        Holder holder = Holder.start("true", "unshare", "--user");
        try {
            Files.writeString(holder.proc().resolve("uid_map"), map);
            Files.writeString(holder.proc().resolve("gid_map"), map);
            return new UserNamespace(holder);
        } catch (IOException e) {
            holder.close();
            throw e;
        }
    }

    /** Words that run a command in there, as a user and a group by their numbers inside. */
    public String[] as(int user) {
        return new String[] {"nsenter", "--target", holder.pid(), "--user", "--setuid=" + user, "--setgid=" + user};
    }

    @Override
    public void close() {
        holder.close();
    }
}
