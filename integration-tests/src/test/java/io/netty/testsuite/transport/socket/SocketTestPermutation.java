package io.netty.testsuite.transport.socket;

import io.netty.bootstrap.AbstractBootstrap;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFactory;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.InternetProtocolFamily;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapComboFactory;
import io.netty.testsuite.transport.TestsuitePermutation.BootstrapFactory;
import java.util.List;
import org.ucxnio.it.programs.NettyParts;

/**
 * Netty's tests take their event loops and channels from the class of this name. Where this one comes first on the class path, they take those
 * of {@link NettyParts}. Names and values are Netty's, of 4.1 and 4.2.
 */
public final class SocketTestPermutation {
    public static final int UNASSIGNED_PORT = 4;

    static final String BAD_HOST = "198.51.100.254";
    static final int BAD_PORT = 65535;
    static final SocketTestPermutation INSTANCE = new SocketTestPermutation();

    private final EventLoopGroup group = NettyParts.CHOSEN.group(4);

    private SocketTestPermutation() {}

    public List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> socket() {
        return List.of(new Combo<>(server(), client()));
    }

    public List<BootstrapComboFactory<ServerBootstrap, Bootstrap>> socketWithFastOpen() {
        return socket();
    }

    public List<BootstrapFactory<ServerBootstrap>> serverSocket() {
        return List.of(server());
    }

    public List<BootstrapFactory<Bootstrap>> clientSocket() {
        return List.of(client());
    }

    public List<BootstrapFactory<Bootstrap>> clientSocketWithFastOpen() {
        return clientSocket();
    }

    public List<BootstrapFactory<Bootstrap>> datagramSocket() {
        return List.of(datagrams(NioDatagramChannel::new));
    }

    /** Called by the tests of Netty 4.2. */
    public List<BootstrapComboFactory<Bootstrap, Bootstrap>> datagram(SocketProtocolFamily family) {
        return pair(datagrams(() -> new NioDatagramChannel(family)));
    }

    /** Called by the tests of Netty 4.1. */
    public List<BootstrapComboFactory<Bootstrap, Bootstrap>> datagram(InternetProtocolFamily family) {
        return pair(datagrams(() -> new NioDatagramChannel(family)));
    }

    private static List<BootstrapComboFactory<Bootstrap, Bootstrap>> pair(BootstrapFactory<Bootstrap> both) {
        return List.of(new Combo<>(both, both));
    }

    private BootstrapFactory<ServerBootstrap> server() {
        return () -> new ServerBootstrap().group(group).channelFactory(NettyParts.CHOSEN.serverSockets());
    }

    private BootstrapFactory<Bootstrap> client() {
        return () -> new Bootstrap().group(group).channelFactory(NettyParts.CHOSEN.sockets());
    }

    private BootstrapFactory<Bootstrap> datagrams(ChannelFactory<NioDatagramChannel> channels) {
        return () -> new Bootstrap().group(group).channelFactory(channels);
    }

    private record Combo<S extends AbstractBootstrap<?, ?>, C extends AbstractBootstrap<?, ?>>(
            BootstrapFactory<S> servers, BootstrapFactory<C> clients) implements BootstrapComboFactory<S, C> {
        @Override
        public S newServerInstance() {
            return servers.newInstance();
        }

        @Override
        public C newClientInstance() {
            return clients.newInstance();
        }
    }
}
