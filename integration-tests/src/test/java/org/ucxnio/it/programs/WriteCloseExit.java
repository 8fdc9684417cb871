package org.ucxnio.it.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.ucxnio.it.harness.BytePattern;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Mode;

/** Connects, writes, closes and is gone. Arguments: port, mode, bytes, ending (return, exit, noClose). */
public final class WriteCloseExit {
    private WriteCloseExit() {}

    public static void main(String[] arguments) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])));
        ChannelIo io = ChannelIo.of(channel, Mode.valueOf(arguments[1]));
        ByteBuffer buffer = ByteBuffer.allocateDirect(Integer.parseInt(arguments[2]));
        // The seed of what a peer expects to read.
        new BytePattern(22).fill(buffer);
        io.writeFully(buffer.flip());
        if (!arguments[3].equals("noClose")) {
            io.close();
        }
        if (!arguments[3].equals("return")) {
            System.exit(0);
        }
    }
}
