package org.ucxnio.it.isolation;

import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Node;

/** The two processes are different users', or of one user with different rights. */
class UsersTest extends OneHost {
    /** Nobody's usual number, and one that hardly anybody has. */
    private static final String[] ONE = as(65534);

    private static final String[] ANOTHER = as(54321);

    private static final String[] FEWER_RIGHTS = {"setpriv", "--bounding-set=-all", "--inh-caps=-all"};

    private static String[] as(int user) {
        return new String[] {"setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"};
    }

    private static JvmBuilder of(String... prefix) {
        return node(prefix).forAnybody();
    }

    @Test
    void shouldJoinTwoProcessesOfAUserWithoutPrivileges() throws Exception {
        try (Node server = Node.start(of(ONE));
                Node client = Node.start(of(ONE))) {
            expectAccelerated(server, client);
        }
    }

    @Test
    void shouldBePlainBetweenTwoUsersWithoutPrivileges() throws Exception {
        try (Node server = Node.start(of(ONE));
                Node client = Node.start(of(ANOTHER))) {
            expectPlain(server, client, SOME_REASON);
        }
    }

    @Test
    void shouldBePlainBetweenAnotherUserAndAServerOfThisOne() throws Exception {
        try (Node client = Node.start(of(ONE))) {
            expectPlain(ours, client, SOME_REASON);
        }
    }

    @Test
    void shouldBePlainBetweenThisUserAndAServerOfAnother() throws Exception {
        try (Node server = Node.start(of(ONE))) {
            expectPlain(server, ours, SOME_REASON);
        }
    }

    /** A user's files are open to every process of that user. */
    @Test
    void shouldJoinAServerAndAClientThatHasFewerRights() throws Exception {
        try (Node client = Node.start(node(FEWER_RIGHTS))) {
            expectAccelerated(ours, client);
        }
    }

    @Test
    void shouldJoinAClientAndAServerThatHasFewerRights() throws Exception {
        try (Node server = Node.start(node(FEWER_RIGHTS))) {
            expectAccelerated(server, ours);
        }
    }
}
