package org.ucxnio.it.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Rendezvous;
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
    private static final int FIRST_OUTSIDE = 201_000;
    private static final String SEVERAL_USERS = ".* stands for several users";

    private static UserNamespace open(String map) {
        try {
            return UserNamespace.open(map);
        } catch (IOException e) {
            return Skips.skip(e.getMessage());
        }
    }

    private static Node start(UserNamespace namespace, int user) throws IOException, InterruptedException {
        return Node.start(node(namespace.as(user)).forAnybody());
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

    /** In a directory of its own: whose {@code /dev/shm} is cannot be told in there. */
    @Test
    void shouldJoinTwoProcessesOfAUserWhomTheNamespaceMaps() throws Exception {
        Path own = Files.createDirectory(sharedMemory().path().resolve("own"));
        Files.setAttribute(own, "unix:uid", FIRST_OUTSIDE);
        try (UserNamespace namespace = open(SOMEBODY + " " + FIRST_OUTSIDE + " 1");
                Node server = startIn(namespace, "/dev/shm/own/meeting");
                Node client = startIn(namespace, "/dev/shm/own/meeting")) {
            expectAccelerated(server, client);
        }
    }

    private static Node startIn(UserNamespace namespace, String rendezvous) throws IOException {
        return Node.start(node(namespace.as(SOMEBODY)).forAnybody().property(Rendezvous.PROPERTY, rendezvous));
    }

    @Test
    void shouldBePlainWhereNobodyKnowsWhoseTheDefaultDirectoryIs() throws Exception {
        try (UserNamespace namespace = open(SOMEBODY + " " + FIRST_OUTSIDE + " 1");
                Node server = start(namespace, SOMEBODY);
                Node client = start(namespace, SOMEBODY)) {
            expectPlain(server, client, "/dev/shm belongs to user 65534, neither to root nor to user " + SOMEBODY);
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
