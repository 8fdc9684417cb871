package org.ucxnio.it.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.programs.NodeMain;

/** What the tests across two hosts share: the network, made once for each class, and the two JVMs. */
@Bounded
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TwoHosts {
    /** Reason of a connection to a host that nobody said to trust. */
    static final String NOT_TRUSTED = "peer on another host that is not trusted";

    private NetworkLab lab;

    @BeforeAll
    @Timeout(60)
    void joinTwoHosts() throws InterruptedException {
        try {
            lab = NetworkLab.open();
        } catch (IOException e) {
            Skips.skip("network namespaces cannot be made here: " + e.getMessage());
        }
    }

    @AfterAll
    @Timeout(60)
    void separate() {
        if (lab != null) {
            lab.close();
        }
    }

    /** A program on the server's host that uses nothing but defaults. */
    JvmBuilder onServer() {
        return JvmBuilder.of(Flavour.RINGS, NodeMain.class).name("server").prefix(lab.onServer());
    }

    /** A program on the client's host that uses nothing but defaults. */
    JvmBuilder onClient() {
        return JvmBuilder.of(Flavour.RINGS, NodeMain.class).name("client").prefix(lab.onClient());
    }

    /** Asks for UCX's tcp transport; skips where there is no libucx that can be trusted with it. */
    static JvmBuilder overUcx(JvmBuilder builder, String trust) {
        if (Locations.networkUcx().isEmpty()) {
            Skips.skip(
                    "no libucx of 1.14 or later: name a folder that holds one in -D" + Locations.NETWORK_UCX_PROPERTY);
        }
        return builder.property("ucxnio.ucx.path", Locations.networkUcx().get())
                .property("ucxnio.tls", "tcp")
                .property("ucxnio.trust", trust);
    }

    /** Lets the server listen; returns the port. */
    static int listen(Node server) throws IOException, InterruptedException {
        int port = Ports.free();
        server.call("listen l " + NetworkLab.SERVER_ADDRESS + " " + port);
        return port;
    }

    /** Joins the two programs by a connection that both know by this name. */
    static void connect(Node server, Node client, int port, String name, Mode mode, long seed)
            throws InterruptedException {
        client.call("connect " + name + " " + NetworkLab.SERVER_ADDRESS + " " + port + " " + mode + " " + seed);
        String addresses = server.call("accept " + name + " l " + mode + " " + seed);
        assertThat(addresses)
                .contains("/" + NetworkLab.SERVER_ADDRESS + ":" + port)
                .contains("/" + NetworkLab.CLIENT_ADDRESS + ":");
    }
}
