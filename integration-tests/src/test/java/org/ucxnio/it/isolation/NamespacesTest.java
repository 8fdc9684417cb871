package org.ucxnio.it.isolation;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Node;

/** One of two processes, or each, has namespaces of its own, as containers have. */
class NamespacesTest extends OneHost {
    /** What a process has for itself. */
    enum Own {
        MOUNT(null, "unshare", "--mount"),
        PROC(null, "unshare", "--mount", "sh", "-c", "mount -t proc proc /proc && exec \"$@\"", "sh"),
        SHM(null, "unshare", "--mount", "sh", "-c", "mount -t tmpfs tmpfs /dev/shm && exec \"$@\"", "sh"),
        USER(OUT_OF_REACH, "unshare", "--user", "--map-root-user"),
        IPC(OTHER_NAMESPACES, "unshare", "--ipc"),
        PID(OTHER_NAMESPACES, "unshare", "--pid", "--fork", "--kill-child"),
        PID_AND_PROC(OTHER_NAMESPACES, "unshare", "--pid", "--fork", "--kill-child", "--mount-proc"),
        CONTAINER(
                OTHER_NAMESPACES,
                "unshare",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
                "--ipc",
                "--uts",
                "--cgroup",
                "sh",
                "-c",
                "mount -t tmpfs tmpfs /dev/shm && mount -t tmpfs tmpfs /tmp -o mode=1777 && exec \"$@\"",
                "sh");

        /** Why connections are plain, or null where they need not be. */
        private final String plainReason;

        private final String[] words;

        Own(String plainReason, String... words) {
            this.plainReason = plainReason;
            this.words = words;
        }
    }

    private static void expect(Own own, Node server, Node client) throws Exception {
        if (own.plainReason == null) {
            expectAccelerated(server, client);
        } else {
            expectPlain(server, client, own.plainReason);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeAClientWithNamespacesOfItsOwn(Own own) throws Exception {
        require(own.words);
        try (Node client = Node.start(node(own.words))) {
            expect(own, ours, client);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PROC", "SHM", "USER", "CONTAINER"})
    void shouldConnectToAServerWithNamespacesOfItsOwn(Own own) throws Exception {
        require(own.words);
        try (Node server = Node.start(node(own.words))) {
            expect(own, server, ours);
        }
    }

    @ParameterizedTest
    @EnumSource(names = "CONTAINER")
    void shouldJoinTwoThatEachHaveNamespacesOfTheirOwn(Own own) throws Exception {
        require(own.words);
        try (Node server = Node.start(node(own.words));
                Node client = Node.start(node(own.words))) {
            expect(own, server, client);
        }
    }
}
