package org.ucxnio.it.security;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.harness.UserNamespace;
import org.ucxnio.it.isolation.OneHost;

/**
 * Processes in user namespaces of rootless containers that share the host's network. The kernel tells them one number, that of {@code
 * nobody}, for every user of the host that their namespace does not map.
 */
class OverflowUserTest extends OneHost {
    private static final int NOBODY = 65_534;
    private static final int SOMEBODY = 1000;
    private static final String SEVERAL_USERS = "peer whose user number stands for several users";

    private static UserNamespace open(String map) {
        try {
            return UserNamespace.open(map);
        } catch (IOException e) {
            return Skips.skip(e.getMessage());
        }
    }

    private static Node start(UserNamespace namespace, int user) throws IOException, InterruptedException {
        String[] words = namespace.as(user);
        require(words);
        return Node.start(node(words).forAnybody());
    }

    /** Each takes the other for its own user, although they are two of the host's users. */
    @Test
    void shouldBePlainBetweenTheNobodiesOfTwoContainers() throws Exception {
        try (UserNamespace one = open(NOBODY + " 201000 1");
                UserNamespace another = open(NOBODY + " 202000 1");
                Node server = start(one, NOBODY);
                Node client = start(another, NOBODY)) {
            expectPlain(server, client, SEVERAL_USERS);
        }
    }

    /** These two are one user, which neither can know. */
    @Test
    void shouldBePlainBetweenTwoNobodiesOfAContainer() throws Exception {
        try (UserNamespace namespace = open(NOBODY + " 201000 1");
                Node server = start(namespace, NOBODY);
                Node client = start(namespace, NOBODY)) {
            expectPlain(server, client, SEVERAL_USERS);
        }
    }

    @Test
    void shouldJoinTwoProcessesOfAUserWhomTheNamespaceMaps() throws Exception {
        try (UserNamespace namespace = open(SOMEBODY + " 201000 1");
                Node server = start(namespace, SOMEBODY);
                Node client = start(namespace, SOMEBODY)) {
            expectAccelerated(server, client);
        }
    }

    @Test
    void shouldJoinTwoNobodiesWhereAllUsersAreMapped() throws Exception {
        try (UserNamespace namespace = open("0 0 4294967295");
                Node server = start(namespace, NOBODY);
                Node client = start(namespace, NOBODY)) {
            expectAccelerated(server, client);
        }
    }
}
