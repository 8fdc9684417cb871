package org.ucxnio.it.harness;

import java.nio.file.Path;

/** A {@code /tmp} that nobody else sees, for processes with a mount namespace of their own. */
public final class PrivateTmp {
    /** Set while the shell mounts. */
    private static final int REPOSITORY_FD = 9;

    private PrivateTmp() {}

    /** The command of a shell that makes it. What is tested may itself lie below {@code /tmp}, so it is put where it was. */
    public static String mount() {
        Path repository = Path.of("..").toAbsolutePath().normalize();
        return "exec %1$d<'%2$s' && mount -t tmpfs -o mode=1777 tmpfs /tmp && mkdir -p '%2$s'"
                        .formatted(REPOSITORY_FD, repository)
                + " && mount --no-canonicalize --bind /proc/self/fd/%1$d '%2$s' && exec %1$d<&-"
                        .formatted(REPOSITORY_FD, repository);
    }
}
