package org.ucxnio.it.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.Map;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Mode;

/**
 * One of several processes that are all connected to each other, once for each thread. {@code connect} connects to those before this
 * one and waits for the connections of those behind it. Then {@code BYTESxTHREADS}, such as {@code 64x4}, exchanges messages of so many
 * bytes with all of them, by so many threads. Arguments: rank, ports of all, threads at most, bytes each way on each connection in an
 * exchange, seed.
 */
public final class AllToAllMember {
    private static final int[] MESSAGE_BYTES = {64, 4096};

    private final int rank;
    private final int[] ports;
    private final long seed;

    /** By thread and by peer; none to itself. */
    private final AllToAllLink[][] links;

    private AllToAllMember(int rank, int[] ports, int threads, long seed) {
        this.rank = rank;
        this.ports = ports;
        this.seed = seed;
        this.links = new AllToAllLink[threads][ports.length];
    }

    public static void main(String[] arguments) throws Exception {
        String[] words = arguments[1].split(",");
        int[] ports = new int[words.length];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = Integer.parseInt(words[i]);
        }
        int most = Integer.parseInt(arguments[2]);
        long bytes = Long.parseLong(arguments[3]);
        AllToAllMember member =
                new AllToAllMember(Integer.parseInt(arguments[0]), ports, most, Long.parseLong(arguments[4]));
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress("127.0.0.1", ports[member.rank]), most * ports.length);
        Map<String, Commands.Action> commands = new HashMap<>();
        commands.put("connect", () -> member.connect(listener));
        for (int messageBytes : MESSAGE_BYTES) {
            if (bytes % messageBytes != 0) {
                throw new IllegalArgumentException(bytes + " bytes are no whole messages of " + messageBytes);
            }
            for (int threads = 1; threads <= most; threads++) {
                int count = threads;
                commands.put(messageBytes + "x" + count, () -> member.exchange(messageBytes, count, bytes));
            }
        }
        Commands.print("LISTENING " + ports[member.rank]);
        Commands.serve(commands);
    }

    private String connect(ServerSocketChannel listener) throws IOException {
        for (int thread = 0; thread < links.length; thread++) {
            for (int peer = 0; peer < rank; peer++) {
                SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", ports[peer]));
                ByteBuffer hello =
                        ByteBuffer.allocate(2 * Integer.BYTES).putInt(rank).putInt(thread);
                ChannelIo.of(channel, Mode.BLOCKING).writeFully(hello.flip());
                links[thread][peer] = link(channel, peer, thread);
            }
        }
        for (int i = 0; i < links.length * (ports.length - 1 - rank); i++) {
            SocketChannel channel = listener.accept();
            ByteBuffer hello = ByteBuffer.allocate(2 * Integer.BYTES);
            ChannelIo.of(channel, Mode.BLOCKING).readFully(hello);
            int peer = hello.flip().getInt();
            int thread = hello.getInt();
            links[thread][peer] = link(channel, peer, thread);
        }
        return "CONNECTED";
    }

    private AllToAllLink link(SocketChannel channel, int peer, int thread) throws IOException {
        channel.configureBlocking(false);
        return new AllToAllLink(channel, seed(rank, peer, thread), seed(peer, rank, thread));
    }

    /** Another stream of bytes from each to each. */
    private long seed(int from, int to, int thread) {
        return seed + (((long) from * ports.length + to) * links.length + thread << 32);
    }

    private String exchange(int messageBytes, int threads, long bytes) throws Exception {
        AllToAllLoop[] loops = new AllToAllLoop[threads];
        for (int thread = 0; thread < threads; thread++) {
            loops[thread] = AllToAllLoop.start("loop-" + thread, links[thread], messageBytes, bytes);
        }
        for (AllToAllLoop loop : loops) {
            loop.await();
        }
        return "EXCHANGED";
    }
}
