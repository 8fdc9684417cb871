package org.ucxnio.it.contract;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.ucxnio.it.harness.Ports;

/** A kernel listener whose backlog is full: further connections stay pending. */
final class SilentListener implements AutoCloseable {
    private static final long SETTLE_MS = 100;
    private static final int MOST = 16;

    private final ServerSocketChannel listener = ServerSocketChannel.open();
    private final List<SocketChannel> fillers = new ArrayList<>();

    SilentListener() throws IOException {
        listener.bind(Connection.loopback(Ports.free()), 1);
        boolean connected = true;
        while (connected) {
            if (fillers.size() == MOST) {
                throw new IOException("The backlog does not fill up");
            }
            connected = connectsAnother();
        }
    }

    private boolean connectsAnother() throws IOException {
        SocketChannel filler = SocketChannel.open();
        fillers.add(filler);
        filler.configureBlocking(false);
        try (Selector selector = Selector.open()) {
            filler.register(selector, SelectionKey.OP_CONNECT);
            return filler.connect(address()) || selector.select(SETTLE_MS) == 1 && filler.finishConnect();
        }
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) listener.getLocalAddress();
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel filler : fillers) {
            filler.close();
        }
        listener.close();
    }
}
