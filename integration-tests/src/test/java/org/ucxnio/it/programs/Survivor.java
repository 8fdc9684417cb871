package org.ucxnio.it.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.ucxnio.it.harness.BytePattern;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Threads;

/**
 * Serves victims that say at the start of a connection who they are and what they want: {@code W} writes to this program
 * and {@code R} wants it to write, both for ever. Says when each connection ended, by the clock that all processes of the machine share,
 * and how. Arguments: port, mode.
 */
public final class Survivor {
    /** Bytes that begin each connection: W or R, then a name of this length. */
    public static final int NAME_LENGTH = 7;

    /** Seed of the bytes that flow either way. */
    public static final long SEED = 33;

    private static final int BUFFER_BYTES = 16 << 10;

    private Survivor() {}

    public static void main(String[] arguments) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 200);
        Mode mode = Mode.valueOf(arguments[1]);
        Threads.daemon("acceptor", () -> {
            try {
                while (true) {
                    SocketChannel channel = listener.accept();
                    Threads.daemon("test", () -> serve(channel, mode));
                }
            } catch (IOException e) {
                Commands.print("SERVER FAILED " + e);
            }
        });
        Commands.print("LISTENING " + arguments[0]);
        Commands.serve(Map.of());
    }

    private static void serve(SocketChannel channel, Mode mode) {
        String name = "nobody";
        try (ChannelIo io = ChannelIo.of(channel, mode)) {
            ByteBuffer head = ByteBuffer.allocate(1 + NAME_LENGTH);
            if (io.readFully(head) < head.capacity()) {
                printEnd(name, "before its name");
                return;
            }
            name = new String(head.array(), StandardCharsets.US_ASCII);
            Commands.print("SERVING " + name);
            if (head.get(0) == 'W') {
                readAll(io);
            } else {
                writeAll(io);
            }
            printEnd(name, "end of stream");
        } catch (IOException e) {
            printEnd(name, e.toString());
        } catch (RuntimeException e) {
            Commands.print("WRONG " + name + " " + e);
            e.printStackTrace();
        }
    }

    private static void printEnd(String name, String how) {
        Commands.print("ENDED " + name + " " + System.nanoTime() + " " + how);
    }

    private static void readAll(ChannelIo io) throws IOException {
        BytePattern incoming = new BytePattern(SEED);
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        while (io.readSome(buffer.clear()) >= 0) {
            incoming.verify(buffer.flip());
        }
    }

    private static void writeAll(ChannelIo io) throws IOException {
        BytePattern outgoing = new BytePattern(SEED);
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        while (true) {
            outgoing.fill(buffer.clear());
            io.writeFully(buffer.flip());
        }
    }
}
