package org.ucxnio.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.ucxnio.config.Config;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.ring.Block;
import org.ucxnio.selector.UcxSelector;
import org.ucxnio.session.Host;
import org.ucxnio.session.Movable;

/** Two connected channels of one process, and a session between them that does what the test says. */
final class ChannelPair implements AutoCloseable {
    private final BlockingQueue<Movable> requests = new LinkedBlockingQueue<>();
    private final BlockingQueue<Movable> accepts = new LinkedBlockingQueue<>();
    private final SelectorProvider platform = SelectorProvider.provider();
    private final SpinGovernor governor = new SpinGovernor(Config.from(name -> null));

    final TestMemory memory = new TestMemory();
    final UcxSocketChannel client;
    final UcxSocketChannel server;
    final Movable clientEnd;
    final Movable serverEnd;

    ChannelPair() throws IOException {
        Host host = new Host() {
            @Override
            public void request(Movable connection) {
                requests.add(connection);
            }

            @Override
            public void accepted(Movable connection) {
                accepts.add(connection);
            }

            @Override
            public void closed(Movable connection) {
                // Nobody is told.
            }

            @Override
            public AutoCloseable listening(InetSocketAddress bound) {
                return () -> {};
            }
        };
        ChannelServices services =
                new ChannelServices(platform, platform, null, new PlainConnections(), host, 0, governor, "young");
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
        return new UcxSelector(platform, platform, null, governor, null);
    }

    SocketChannel other(SocketChannel one) {
        return one == client ? server : client;
    }

    /** Pairs both directions, as a session does it. */
    void pair() throws IOException {
        Block ofClient = memory.allocate(4 << 10);
        Block ofServer = memory.allocate(4 << 10);
        if (serverEnd.hear(memory, ofClient.memory()) && clientEnd.hear(memory, ofServer.memory())) {
            clientEnd.speak(memory, ofClient);
            serverEnd.speak(memory, ofServer);
        }
    }

    /** The session ends. */
    void end() {
        memory.alive = false;
        clientEnd.sessionEnded();
        serverEnd.sessionEnded();
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
