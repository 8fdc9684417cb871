package org.ucxnio.it.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Threads;

/** A server that speaks first, as mail servers do. Arguments: port, mode. */
public final class GreetingServer {
    /** What it says to everyone. */
    public static final String GREETING = "220 ready when you are\r\n";

    private GreetingServer() {}

    public static void main(String[] arguments) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])));
        Mode mode = Mode.valueOf(arguments[1]);
        Threads.daemon("test", () -> {
            try {
                while (true) {
                    greet(listener.accept(), mode);
                }
            } catch (IOException | RuntimeException e) {
                Commands.print("SERVER FAILED " + e);
            }
        });
        Commands.print("LISTENING " + arguments[0]);
        Commands.serve(Map.of());
    }

    private static void greet(SocketChannel channel, Mode mode) throws IOException {
        try (ChannelIo io = ChannelIo.of(channel, mode)) {
            io.writeFully(ByteBuffer.wrap(GREETING.getBytes(StandardCharsets.US_ASCII)));
            ByteBuffer request = ByteBuffer.allocate(6);
            io.readFully(request);
            String answer = "250 you said " + new String(request.array(), StandardCharsets.US_ASCII);
            io.writeFully(ByteBuffer.wrap(answer.getBytes(StandardCharsets.US_ASCII)));
        }
    }
}
