package org.ucxnio.it.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.ucxnio.it.harness.BytePattern;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Mode;

/**
 * Talks to a {@link Survivor} until it is killed. It waits for a line before it begins, so that it can be started ahead.
 * Arguments: port, mode, name, doing (W: writes, R: reads).
 */
public final class Victim {
    private static final int BUFFER_BYTES = 5000;

    private Victim() {}

    public static void main(String[] arguments) throws IOException {
        // Loads and initialises what it needs, so that the kill finds it at work.
        SocketChannel.open().close();
        Commands.print("WARM");
        if (System.in.read() < 0) {
            return;
        }
        InetSocketAddress server = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0]));
        Commands.print("GOING");
        ChannelIo io = ChannelIo.of(SocketChannel.open(server), Mode.valueOf(arguments[1]));
        byte[] head = (arguments[3] + arguments[2]).getBytes(StandardCharsets.US_ASCII);
        io.writeFully(ByteBuffer.wrap(head));
        BytePattern pattern = new BytePattern(Survivor.SEED);
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        while (true) {
            if (arguments[3].equals("W")) {
                pattern.fill(buffer.clear());
                io.writeFully(buffer.flip());
            } else {
                io.readSome(buffer.clear());
                pattern.verify(buffer.flip());
            }
        }
    }
}
