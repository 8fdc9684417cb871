package org.ucxnio.it.isolation;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.PrivateTmp;
import org.ucxnio.it.harness.Rendezvous;

/**
 * Two containers of one network, as those of a pod are, with everything else of their own but a volume that both were given. The
 * directory named by {@code ucxnio.rendezvous} may have another path in each.
 */
class ContainersTest extends OneHost {
    /** Where the containers see the volume, and where it is. */
    private static final String VOLUME = "/mnt";

    private Rendezvous volume;

    @BeforeEach
    void makeVolume() {
        volume = Rendezvous.create();
    }

    @AfterEach
    void removeVolume() {
        volume.close();
    }

    private Node startContainer() throws IOException {
        String mounts = "mount --bind " + volume.path() + " " + VOLUME
                + " && mount -t tmpfs -o mode=1777 tmpfs /dev/shm && " + PrivateTmp.mount()
                + " && exec \"$@\"";
        String[] namespaces = {
            "unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--ipc", "--uts", "--cgroup"
        };
        return Node.start(nodeOfTheHost(namespaces)
                .prefix(namespaces)
                .prefix("sh", "-c", mounts, "sh")
                .property(Rendezvous.PROPERTY, VOLUME));
    }

    @Test
    void shouldJoinTwoContainersThatShareAVolume() throws Exception {
        try (Node server = startContainer();
                Node client = startContainer()) {
            expectAccelerated(server, client);
            volume.awaitNoSlabs();
        }
    }

    @Test
    void shouldJoinAContainerAndItsHost() throws Exception {
        try (Node container = startContainer();
                Node host = Node.start(nodeOfTheHost().property(Rendezvous.PROPERTY, volume.path()))) {
            expectAccelerated(container, host);
            expectAccelerated(host, container);
        }
    }

    @Test
    void shouldBePlainBetweenAContainerAndSomebodyWithoutTheVolume() throws Exception {
        try (Node container = startContainer()) {
            expectPlain(container, ours, SOME_REASON);
            expectPlain(ours, container, SOME_REASON);
        }
    }
}
