package org.ucxnio.it.harness;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The far end of a test's connections. It carries out commands, one line each, so that it works alike as threads of the
 * test's JVM and as a process of its own. Thread-safe; a channel is read by one command and written by one at a time.
 */
public final class PeerActor implements AutoCloseable {
    /** Seed of the bytes a peer writes. */
    static final long SEED_FROM_PEER = 11;

    /** Seed of the bytes a peer expects. */
    static final long SEED_TO_PEER = 22;

    private static final int BUFFER_BYTES = 64 << 10;

    /** More than the kernel's largest buffers of both ends, and than any window. */
    private static final long MOST_IN_VAIN = 128L << 20;

    private final SelectorProvider provider;
    private final Map<String, ServerSocketChannel> listeners = new ConcurrentHashMap<>();
    private final Map<String, End> ends = new ConcurrentHashMap<>();

    public PeerActor(SelectorProvider provider) {
        this.provider = provider;
    }

    /** One connection and how far along the streams of both directions it is. */
    private record End(ChannelIo io, BytePattern incoming, BytePattern outgoing) {
        SocketChannel channel() {
            return io.channel();
        }
    }

    /** Carries out a command and returns its result. */
    public String execute(String command) throws IOException {
        String[] words = command.split(" ");
        return switch (words[0]) {
            case "listen" -> listen(words[1], words[2], Integer.parseInt(words[3]));
            case "closeListener" -> closeListener(words[1]);
            case "accept" -> open(words[1], accepted(words[2]), Mode.valueOf(words[3]));
            case "connect" -> open(words[1], connected(words[2], Integer.parseInt(words[3])), Mode.valueOf(words[4]));
            case "addresses" -> addresses(end(words[1]).channel());
            case "write" -> write(end(words[1]), Long.parseLong(words[2]));
            case "writeInVain" -> writeInVain(end(words[1]));
            case "read" -> read(end(words[1]), Long.parseLong(words[2]));
            case "readToEnd" -> readToEnd(end(words[1]));
            case "echo" -> echo(end(words[1]));
            case "shutdownInput" -> done(end(words[1]).channel().shutdownInput());
            case "shutdownOutput" -> done(end(words[1]).channel().shutdownOutput());
            case "reset" -> reset(words[1]);
            case "close" -> close(words[1]);
            default -> throw new IllegalArgumentException("Unknown command: " + command);
        };
    }

    /** Closes all channels. */
    @Override
    public void close() throws IOException {
        for (ServerSocketChannel listener : listeners.values()) {
            listener.close();
        }
        for (End end : ends.values()) {
            end.io().close();
        }
    }

    private String listen(String name, String host, int port) throws IOException {
        ServerSocketChannel listener = provider.openServerSocketChannel();
        listener.bind(new InetSocketAddress(host, port), 200);
        listeners.put(name, listener);
        return Integer.toString(((InetSocketAddress) listener.getLocalAddress()).getPort());
    }

    private String closeListener(String name) throws IOException {
        listeners.remove(name).close();
        return "";
    }

    private SocketChannel accepted(String listener) throws IOException {
        return listeners.get(listener).accept();
    }

    private SocketChannel connected(String host, int port) throws IOException {
        SocketChannel channel = provider.openSocketChannel();
        channel.connect(new InetSocketAddress(host, port));
        return channel;
    }

    private String open(String name, SocketChannel channel, Mode mode) throws IOException {
        ends.put(
                name,
                new End(ChannelIo.of(channel, mode), new BytePattern(SEED_TO_PEER), new BytePattern(SEED_FROM_PEER)));
        return addresses(channel);
    }

    private End end(String name) {
        End end = ends.get(name);
        if (end == null) {
            throw new IllegalStateException("No channel named " + name);
        }
        return end;
    }

    private static String addresses(SocketChannel channel) throws IOException {
        return channel.getLocalAddress() + "|" + channel.getRemoteAddress();
    }

    private static String write(End end, long count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long left = count;
        while (left > 0) {
            buffer.clear().limit((int) Math.min(left, BUFFER_BYTES));
            left -= buffer.remaining();
            end.outgoing().fill(buffer);
            end.io().writeFully(buffer.flip());
        }
        return Long.toString(count);
    }

    /**
     * Writes until the connection refuses, and returns with which words. Where it does not, it stops being writable, or takes more than
     * anything can hold.
     */
    private static String writeInVain(End end) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        for (long total = 0; total < MOST_IN_VAIN; total += BUFFER_BYTES) {
            try {
                end.io().writeFully(buffer.clear());
            } catch (IOException e) {
                return String.valueOf(e.getMessage());
            }
        }
        throw new IllegalStateException("The connection takes whatever is written");
    }

    private static String read(End end, long count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long total = 0;
        while (total < count) {
            buffer.clear().limit((int) Math.min(count - total, BUFFER_BYTES));
            int length = end.io().readSome(buffer);
            if (length < 0) {
                throw new IllegalStateException("End of stream after " + total + " of " + count + " bytes");
            }
            end.incoming().verify(buffer.flip());
            total += length;
        }
        return Long.toString(total);
    }

    private static String readToEnd(End end) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long total = 0;
        int length = end.io().readSome(buffer);
        while (length >= 0) {
            end.incoming().verify(buffer.flip());
            total += length;
            length = end.io().readSome(buffer.clear());
        }
        return Long.toString(total);
    }

    private static String echo(End end) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long total = 0;
        int length = end.io().readSome(buffer);
        while (length >= 0) {
            total += length;
            end.io().writeFully(buffer.flip());
            length = end.io().readSome(buffer.clear());
        }
        end.io().close();
        return Long.toString(total);
    }

    private static String done(SocketChannel channel) {
        return channel.toString();
    }

    private String reset(String name) throws IOException {
        End end = ends.remove(name);
        end.channel().setOption(StandardSocketOptions.SO_LINGER, 0);
        end.io().close();
        return "";
    }

    private String close(String name) throws IOException {
        End end = ends.remove(name);
        if (end != null) {
            end.io().close();
        }
        return "";
    }
}
