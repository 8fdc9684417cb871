package org.ucxnio.session;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;

/**
 * To another host: by the companion port of the listener, from the address that the connections have here, so that both ends see whether
 * anybody translates addresses between them.
 */
final class CompanionWay implements Way {
    private final SelectorProvider platform;
    private final SessionSetting setting;
    private final InetAddress local;
    private final InetSocketAddress listener;

    CompanionWay(SelectorProvider platform, SessionSetting setting, InetAddress local, InetSocketAddress listener) {
        this.platform = platform;
        this.setting = setting;
        this.local = local;
        this.listener = listener;
    }

    @Override
    public String closed() {
        return setting.network().companionPort(listener.getPort()) < 1 ? "port without companion" : null;
    }

    @Override
    public boolean begin(Route route) throws IOException {
        int port = setting.network().companionPort(listener.getPort());
        SocketChannel channel = listener.getAddress() instanceof Inet4Address
                ? platform.openSocketChannel(StandardProtocolFamily.INET)
                : platform.openSocketChannel();
        boolean begun = false;
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.bind(new InetSocketAddress(local, 0));
            channel.connect(new InetSocketAddress(listener.getAddress(), port));
            Dial dial = new Dial(route, channel);
            dial.key = setting.loop().register(channel, SelectionKey.OP_CONNECT, dial);
            setting.loop().schedule(setting.network().timeoutNanos(), dial::giveUp);
            begun = true;
        } finally {
            if (!begun) {
                channel.close();
            }
        }
        return true;
    }

    /** A connect under way. */
    private final class Dial implements SessionLoop.Handler {
        private final Route route;
        private final SocketChannel channel;
        private SelectionKey key;
        private boolean over;

        Dial(Route route, SocketChannel channel) {
            this.route = route;
            this.channel = channel;
        }

        @Override
        public void onReady() throws IOException {
            if (channel.finishConnect()) {
                over = true;
                key.interestOps(0);
                route.connected(
                        channel, new Terms(setting.network().carrier(), false, 0, listener.getPort()), listener);
            }
        }

        @Override
        public void onFailure(Throwable cause) {
            if (!over) {
                over = true;
                route.failed(String.valueOf(cause.getMessage()));
            }
        }

        void giveUp() {
            if (!over) {
                SessionLoop.close(channel);
                onFailure(new IOException("the companion port does not answer"));
            }
        }
    }

    @Override
    public boolean isCurrent(Object identity) {
        return true;
    }
}
