package org.ucxnio.it.isolation;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.PrivateTmp;

/** One of two processes, or each, has namespaces of its own, as containers have that share the host's network. */
class NamespacesTest extends OneHost {
    /** What a process has for itself. */
    enum Own {
        MOUNT(true, "unshare", "--mount"),
        PROC(true, "unshare", "--mount", "sh", "-c", "mount -t proc proc /proc && exec \"$@\"", "sh"),
        SHM(false, "unshare", "--mount", "sh", "-c", "mount -t tmpfs tmpfs /dev/shm && exec \"$@\"", "sh"),
        USER(true, "unshare", "--user", "--map-root-user"),
        IPC(true, "unshare", "--ipc"),
        PID(true, "unshare", "--pid", "--fork", "--kill-child"),
        PID_AND_PROC(true, "unshare", "--pid", "--fork", "--kill-child", "--mount-proc"),
        CONTAINER(
                false,
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
                "mount -t tmpfs tmpfs /dev/shm && " + PrivateTmp.mount() + " && exec \"$@\"",
                "sh");

        /** Whether it finds the place where the others meet. */
        private final boolean meets;

        private final String[] words;

        Own(boolean meets, String... words) {
            this.meets = meets;
            this.words = words;
        }
    }

    private static void expect(Own own, Node server, Node client) throws Exception {
        if (own.meets) {
            expectAccelerated(server, client);
        } else {
            expectPlain(server, client, SOME_REASON);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldServeAClientWithNamespacesOfItsOwn(Own own) throws Exception {
        try (Node client = Node.start(node(own.words))) {
            expect(own, ours, client);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PROC", "SHM", "USER", "PID", "CONTAINER"})
    void shouldConnectToAServerWithNamespacesOfItsOwn(Own own) throws Exception {
        try (Node server = Node.start(node(own.words))) {
            expect(own, server, ours);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"PID_AND_PROC", "USER", "CONTAINER"})
    void shouldJoinTwoThatEachHaveNamespacesOfTheirOwn(Own own) throws Exception {
        try (Node server = Node.start(node(own.words));
                Node client = Node.start(node(own.words))) {
            expect(own, server, client);
        }
    }
}
