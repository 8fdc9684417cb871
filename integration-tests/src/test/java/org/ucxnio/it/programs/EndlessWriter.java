package org.ucxnio.it.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.ucxnio.it.harness.BytePattern;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Threads;

/**
 * Writes as fast as it can, until told to stop. Arguments: port, mode. Command {@code written} tells how many bytes were
 * accepted and how often the channel stopped taking them.
 */
public final class EndlessWriter {
    private static final int BUFFER_BYTES = 64 << 10;

    private final BytePattern outgoing = new BytePattern(22);
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong stalls = new AtomicLong();
    private volatile boolean stopping;

    private EndlessWriter() {}

    public static void main(String[] arguments) throws IOException {
        EndlessWriter writer = new EndlessWriter();
        SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])));
        Mode mode = Mode.valueOf(arguments[1]);
        Commands.print("CONNECTED");
        Threads.daemon("writer", () -> writer.run(channel, mode));
        Commands.serve(Map.of(
                "written", () -> "WRITTEN " + writer.written + " " + writer.stalls,
                "stop",
                        () -> {
                            writer.stopping = true;
                            return "STOPPING";
                        }));
    }

    private void run(SocketChannel channel, Mode mode) {
        try (channel) {
            if (mode == Mode.BLOCKING) {
                writeBlocking(channel);
            } else {
                writeSelecting(channel);
            }
            channel.shutdownOutput();
            Commands.print("TOTAL " + written);
            // The stream ends when the peer has read it all and closes.
            channel.configureBlocking(true);
            channel.read(ByteBuffer.allocate(1));
        } catch (IOException | RuntimeException e) {
            Commands.print("WRITER FAILED " + e);
            e.printStackTrace();
        }
    }

    private void writeBlocking(SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        while (!stopping) {
            outgoing.fill(buffer.clear());
            written.addAndGet(channel.write(buffer.flip()));
        }
    }

    private void writeSelecting(SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
        channel.configureBlocking(false);
        try (Selector selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_WRITE);
            while (!stopping || buffer.hasRemaining()) {
                if (!buffer.hasRemaining()) {
                    outgoing.fill(buffer.clear());
                    buffer.flip();
                }
                int count = channel.write(buffer);
                written.addAndGet(count);
                if (count == 0) {
                    stalls.incrementAndGet();
                    selector.selectedKeys().clear();
                    selector.select();
                }
            }
        }
    }
}
