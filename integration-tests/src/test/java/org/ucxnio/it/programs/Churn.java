package org.ucxnio.it.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Mode;

/**
 * Connects to an echo server, exchanges a little or nothing, and closes, over and over. Arguments: port, mode. Command
 * {@code batch} does it a number of times.
 */
public final class Churn {
    private static final int BATCH = 500;

    private Churn() {}

    public static void main(String[] arguments) throws IOException {
        InetSocketAddress server = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0]));
        Mode mode = Mode.valueOf(arguments[1]);
        Commands.print("READY");
        Commands.serve(Map.of("batch", () -> {
            for (int i = 0; i < BATCH; i++) {
                once(server, mode, i);
            }
            return "CHURNED " + BATCH;
        }));
    }

    private static void once(InetSocketAddress server, Mode mode, int index) throws IOException {
        try (ChannelIo io = ChannelIo.of(SocketChannel.open(server), mode)) {
            if (index % 4 > 0) {
                ByteBuffer message = ByteBuffer.allocate(index % 4 == 1 ? 100_000 : 16);
                io.writeFully(message);
                if (index % 4 < 3) {
                    io.readFully(message.clear());
                }
            }
            if (index % 10 == 9) {
                io.channel().setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        }
    }
}
