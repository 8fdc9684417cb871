package org.ucxnio.it.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Mode;

/** Says nothing before it was greeted. Arguments: port, mode. */
public final class GreetingClient {
    private GreetingClient() {}

    public static void main(String[] arguments) throws IOException {
        InetSocketAddress server = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0]));
        try (ChannelIo io = ChannelIo.of(SocketChannel.open(server), Mode.valueOf(arguments[1]))) {
            ByteBuffer greeting = ByteBuffer.allocate(GreetingServer.GREETING.length());
            io.readFully(greeting);
            io.writeFully(ByteBuffer.wrap("HELO 1".getBytes(StandardCharsets.US_ASCII)));
            ByteBuffer answer = ByteBuffer.allocate(1000);
            io.readFully(answer);
            Commands.print("GREETING " + text(greeting).strip());
            Commands.print("ANSWER " + text(answer));
        }
        Commands.serve(Map.of());
    }

    private static String text(ByteBuffer buffer) {
        return StandardCharsets.US_ASCII.decode(buffer.flip()).toString();
    }
}
