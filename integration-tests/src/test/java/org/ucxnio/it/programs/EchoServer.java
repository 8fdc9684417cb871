package org.ucxnio.it.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.Map;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Threads;

/** Echoes everything on any number of connections. Arguments: host, port, mode. */
public final class EchoServer {
    private static final int BUFFER_BYTES = 64 << 10;

    private EchoServer() {}

    public static void main(String[] arguments) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])), 200);
        Mode mode = Mode.valueOf(arguments[2]);
        Threads.daemon("echo", () -> run(listener, mode));
        Commands.print("LISTENING " + ((InetSocketAddress) listener.getLocalAddress()).getPort());
        Commands.serve(Map.of());
    }

    private static void run(ServerSocketChannel listener, Mode mode) {
        try {
            if (mode == Mode.BLOCKING) {
                acceptBlocking(listener);
            } else {
                select(listener);
            }
        } catch (IOException | RuntimeException e) {
            Commands.print("SERVER FAILED " + e);
            e.printStackTrace();
        }
    }

    private static void acceptBlocking(ServerSocketChannel listener) throws IOException {
        while (true) {
            SocketChannel channel = listener.accept();
            Threads.daemon("echo-connection", () -> echo(channel));
        }
    }

    private static void echo(SocketChannel channel) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        try (ChannelIo io = ChannelIo.of(channel, Mode.BLOCKING)) {
            while (io.readSome(buffer.clear()) >= 0) {
                io.writeFully(buffer.flip());
            }
        } catch (ClosedChannelException e) {
            // The program ends.
        } catch (IOException e) {
            Commands.print("CONNECTION FAILED " + e);
        }
    }

    private static void select(ServerSocketChannel listener) throws IOException {
        listener.configureBlocking(false);
        try (Selector selector = Selector.open()) {
            listener.register(selector, SelectionKey.OP_ACCEPT);
            while (true) {
                selector.select();
                Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
                while (keys.hasNext()) {
                    SelectionKey key = keys.next();
                    keys.remove();
                    if (key.isAcceptable()) {
                        accept(listener, selector);
                    } else {
                        serve(key);
                    }
                }
            }
        }
    }

    private static void accept(ServerSocketChannel listener, Selector selector) throws IOException {
        SocketChannel channel = listener.accept();
        while (channel != null) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, ByteBuffer.allocateDirect(BUFFER_BYTES));
            channel = listener.accept();
        }
    }

    private static void serve(SelectionKey key) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        ByteBuffer buffer = (ByteBuffer) key.attachment();
        try {
            if (channel.read(buffer) < 0 && buffer.position() == 0) {
                channel.close();
                return;
            }
            buffer.flip();
            channel.write(buffer);
            key.interestOps(
                    buffer.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            buffer.compact();
        } catch (IOException e) {
            Commands.print("CONNECTION FAILED " + e);
            channel.close();
        }
    }
}
