package org.ucxnio.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.ucxnio.config.Config;
import org.ucxnio.link.Bells;
import org.ucxnio.link.Carrier;
import org.ucxnio.link.Lane;
import org.ucxnio.link.RingLane;
import org.ucxnio.link.TestFutexes;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.selector.UcxSelector;
import org.ucxnio.session.Host;
import org.ucxnio.session.Movable;
import org.ucxnio.session.Pace;
import org.ucxnio.session.QuietHost;

/** Two connected channels of one process, and a session between them that does what the test says. */
final class ChannelPair implements AutoCloseable {
    private final BlockingQueue<Movable> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<Movable> accepts = new LinkedBlockingQueue<>();
    private final SelectorProvider platform = SelectorProvider.provider();
    private final SpinGovernor governor = new SpinGovernor(Config.from(name -> null));

    final PlainConnections plainConnections = new PlainConnections();
    final TestMemory memory = new TestMemory();
    final UcxSocketChannel client;
    final UcxSocketChannel server;
    final Movable clientEnd;
    final Movable serverEnd;

    /** Null where rings carry the connection. */
    private final TestMessages messages;

    private Carrier.Bond clientBond;
    private Carrier.Bond serverBond;

    ChannelPair() throws IOException {
        this(null);
    }

    ChannelPair(TestMessages messages) throws IOException {
        this.messages = messages;
        if (messages != null) {
            clientBond = messages.nearBond();
            serverBond = messages.farBond();
        }
        Host host = new QuietHost() {
            @Override
            public void request(Movable connection, Pace pace) {
                requests.add(connection);
            }

            @Override
            public void accepted(Movable connection) {
                accepts.add(connection);
            }
        };
        ChannelServices services = new ChannelServices(
                platform, platform, plainConnections, host, new MovePolicy(0, false, governor), governor, "young");
        try (ServerSocketChannel listener = new UcxServerSocketChannel(services, null)) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client = new UcxSocketChannel(services, StandardProtocolFamily.INET);
            client.connect(listener.getLocalAddress());
            server = (UcxSocketChannel) listener.accept();
        }
        clientEnd = requests.remove();
        serverEnd = accepts.remove();
    }

    UcxSelector openSelector() throws IOException {
        return messages == null
                ? new UcxSelector(platform, platform, null, governor, null)
                : new UcxSelector(platform, platform, messages.near, governor, messages.posix);
    }

    SocketChannel other(SocketChannel one) {
        return one == client ? server : client;
    }

    /** Pairs both directions, as a session does it. */
    void pair() throws IOException {
        if (messages != null) {
            pair(clientBond.open(clientEnd.home()), serverBond.open(serverEnd.home()));
            return;
        }
        pair(ring(), ring());
    }

    /** Lanes of rings that know each other: the client's, and the server's. */
    Lane[] joinedRings() throws IOException {
        Lane[] lanes = {ring(), ring()};
        join(lanes[0], lanes[1]);
        return lanes;
    }

    private Lane ring() {
        return new RingLane(memory, memory.allocate(4 << 10), new Bells(), TestFutexes.reached());
    }

    /** The same, with any lanes. */
    void pair(Lane ofClient, Lane ofServer) throws IOException {
        join(ofClient, ofServer);
        if (serverEnd.hear(ofServer) && clientEnd.hear(ofClient)) {
            clientEnd.speak(ofClient);
            serverEnd.speak(ofServer);
        }
    }

    /** Pairs the client's output alone, over messages. */
    void pairUpstream() throws IOException {
        Lane ofClient = clientBond.open(clientEnd.home());
        Lane ofServer = serverBond.open(serverEnd.home());
        join(ofClient, ofServer);
        if (serverEnd.hear(ofServer)) {
            clientEnd.speak(ofClient);
        }
    }

    private static void join(Lane ofClient, Lane ofServer) throws IOException {
        ofServer.join(described(ofClient));
        ofClient.join(described(ofServer));
    }

    private static ByteBuffer described(Lane lane) {
        ByteBuffer message = ByteBuffer.allocate(4096);
        lane.describe(message);
        return message.flip();
    }

    /** The session ends. */
    void end() {
        memory.alive = false;
        if (messages != null) {
            clientBond.end();
            serverBond.end();
        }
        clientEnd.sessionEnded();
        serverEnd.sessionEnded();
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
