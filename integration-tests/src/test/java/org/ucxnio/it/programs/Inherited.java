package org.ucxnio.it.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ucxnio.it.harness.Threads;

/**
 * Serves the socket that is its standard input: says what it is, then echoes one message with calls that block and one with a
 * selector. It ends when its clients are served, or after a minute.
 */
public final class Inherited {
    private static final long MOST_MILLIS = 60_000;

    private Inherited() {}

    public static void main(String[] arguments) throws IOException {
        Threads.daemon("test", Inherited::endLate);
        Channel inherited = System.inheritedChannel();
        System.out.println("KIND " + kind(inherited));
        System.out.println("SAME " + (inherited == System.inheritedChannel()));
        if (inherited instanceof SelectableChannel channel) {
            System.out.println("STATE blocking=" + channel.isBlocking() + " registered=" + channel.isRegistered());
            try (Selector selector = Selector.open()) {
                System.out.println("SELECTOR " + selector.getClass().getName());
                serve(channel, selector);
                System.out.println("SERVED");
                // From here on nothing that is printed arrives: the JDK closes standard output with an inherited
                // channel.
                channel.close();
                selector.selectNow();
            }
        }
    }

    private static void endLate() {
        try {
            Thread.sleep(MOST_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(1);
    }

    private static String kind(Channel channel) {
        return channel == null ? "none" : channel.getClass().getName();
    }

    private static void serve(SelectableChannel channel, Selector selector) throws IOException {
        if (channel instanceof ServerSocketChannel listener) {
            say("LOCAL", listener.getLocalAddress());
            serveListener(listener, selector);
        } else if (channel instanceof SocketChannel socket) {
            say("LOCAL", socket.getLocalAddress());
            say("REMOTE", socket.getRemoteAddress());
            System.out.println("CONNECTED " + socket.isConnected());
            echo(socket);
            echoSelected(socket, selector);
        } else if (channel instanceof DatagramChannel datagrams) {
            say("LOCAL", datagrams.getLocalAddress());
            echoDatagram(datagrams);
            datagrams.configureBlocking(false);
            datagrams.register(selector, SelectionKey.OP_READ);
            selectOne(selector, SelectionKey.OP_READ);
            echoDatagram(datagrams);
        }
    }

    private static void say(String what, SocketAddress address) {
        InetSocketAddress internet = (InetSocketAddress) address;
        System.out.println(what + " " + internet.getAddress().getHostAddress() + ":" + internet.getPort());
    }

    private static void serveListener(ServerSocketChannel listener, Selector selector) throws IOException {
        try (SocketChannel accepted = listener.accept()) {
            System.out.println("ACCEPTED " + kind(accepted));
            echo(accepted);
        }
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        selectOne(selector, SelectionKey.OP_ACCEPT);
        try (SocketChannel accepted = listener.accept()) {
            echoSelected(accepted, selector);
        }
    }

    private static void echo(SocketChannel socket) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(100);
        socket.read(buffer);
        socket.write(buffer.flip());
    }

    private static void echoSelected(SocketChannel socket, Selector selector) throws IOException {
        socket.configureBlocking(false);
        SelectionKey key = socket.register(selector, SelectionKey.OP_READ);
        selectOne(selector, SelectionKey.OP_READ);
        ByteBuffer buffer = ByteBuffer.allocate(100);
        socket.read(buffer);
        key.interestOps(SelectionKey.OP_WRITE);
        selectOne(selector, SelectionKey.OP_WRITE);
        socket.write(buffer.flip());
    }

    private static void echoDatagram(DatagramChannel datagrams) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(100);
        SocketAddress from = datagrams.receive(buffer);
        datagrams.send(buffer.flip(), from);
    }

    private static void selectOne(Selector selector, int ops) throws IOException {
        selector.select();
        if (selector.selectedKeys().size() != 1
                || selector.selectedKeys().iterator().next().readyOps() != ops) {
            throw new IllegalStateException("selected " + selector.selectedKeys() + " and not " + ops);
        }
        selector.selectedKeys().clear();
    }
}
