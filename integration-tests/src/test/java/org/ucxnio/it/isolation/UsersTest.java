package org.ucxnio.it.isolation;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Node;

/** The two processes are different users', or of one user with different rights. */
class UsersTest extends OneHost {
    private static final String OTHER_USER = "peer of another user";

    /** Nobody's usual number, and one that hardly anybody has. */
    private static final String[] ONE = as(65534);

    private static final String[] ANOTHER = as(54321);

    private static final String[] FEWER_RIGHTS = {"setpriv", "--bounding-set=-all", "--inh-caps=-all"};

    private static String[] as(int user) {
        return new String[] {"setpriv", "--reuid=" + user, "--regid=" + user, "--clear-groups"};
    }

    private static JvmBuilder of(String... prefix) throws IOException, InterruptedException {
        require(prefix);
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
            expectPlain(server, client, OTHER_USER);
        }
    }

    @Test
    void shouldBePlainBetweenAnotherUserAndAServerOfThisOne() throws Exception {
        try (Node client = Node.start(of(ONE))) {
            expectPlain(ours, client, OTHER_USER);
        }
    }

    @Test
    void shouldBePlainBetweenThisUserAndAServerOfAnother() throws Exception {
        try (Node server = Node.start(of(ONE))) {
            expectPlain(server, ours, OTHER_USER);
        }
    }

    @Test
    void shouldBePlainWhereTheServerHasRightsThatTheClientLacks() throws Exception {
        require(FEWER_RIGHTS);
        try (Node client = Node.start(node(FEWER_RIGHTS))) {
            expectPlain(ours, client, OUT_OF_REACH);
        }
    }

    @Test
    void shouldBePlainWhereTheClientHasRightsThatTheServerLacks() throws Exception {
        require(FEWER_RIGHTS);
        try (Node server = Node.start(node(FEWER_RIGHTS))) {
            expectPlain(server, ours, OUT_OF_REACH);
        }
    }
}
