package org.ucxnio.it.programs;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Threads;

/**
 * Plays ping-pong with an echo server and counts the bytes that its thread allocates, batch by batch, until a batch
 * allocates nothing or there were too many. Arguments: port, mode, message length, how to select (set or action).
 */
public final class AllocationProbe {
    private static final int MOST_BATCHES = 60;
    private static final int SMALL_BATCH = 2000;
    private static final int LARGE_BATCH = 100;
    private static final int LARGE = 10_000;
    private static final int QUIET_BATCHES = 5;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final SocketChannel channel;
    private final int batchRounds;
    private final ByteBuffer out;
    private final ByteBuffer in;
    private final boolean intoSet;
    private final Consumer<SelectionKey> action = this::onReady;
    private Selector selector;
    private Set<SelectionKey> selected;
    private int readyKeys;

    private AllocationProbe(SocketChannel channel, int length, boolean intoSet) {
        this.channel = channel;
        this.batchRounds = length < LARGE ? SMALL_BATCH : LARGE_BATCH;
        this.out = ByteBuffer.allocateDirect(length);
        this.in = ByteBuffer.allocateDirect(length);
        this.intoSet = intoSet;
    }

    public static void main(String[] arguments) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])));
        AllocationProbe probe =
                new AllocationProbe(channel, Integer.parseInt(arguments[2]), arguments[3].equals("set"));
        if (Mode.valueOf(arguments[1]) == Mode.SELECTOR) {
            channel.configureBlocking(false);
            probe.selector = Selector.open();
            probe.selected = probe.selector.selectedKeys();
            channel.register(probe.selector, SelectionKey.OP_READ);
        }
        // Not the main thread: that one must answer commands.
        Threads.daemon("probe", () -> Commands.print(probe.measure()));
        Commands.serve(Map.of());
    }

    /** The bytes that each of the last batches allocated. */
    private String measure() {
        StringBuilder counts = new StringBuilder();
        int quiet = 0;
        try {
            for (int batch = 0; batch < MOST_BATCHES && quiet < QUIET_BATCHES; batch++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < batchRounds; i++) {
                    roundTrip();
                }
                long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
                quiet = allocated == 0 ? quiet + 1 : 0;
                counts.append(' ').append(allocated);
            }
            return (quiet == QUIET_BATCHES ? "ALLOCATES NOTHING" : "ALLOCATES SOMETHING") + counts;
        } catch (IOException | RuntimeException e) {
            e.printStackTrace();
            return "FAILED " + e;
        }
    }

    private void roundTrip() throws IOException {
        out.clear();
        while (out.hasRemaining()) {
            channel.write(out);
        }
        in.clear();
        while (in.hasRemaining()) {
            if (selector != null) {
                awaitReady();
            }
            if (channel.read(in) < 0) {
                throw new IOException("The server ended the stream");
            }
        }
    }

    private void awaitReady() throws IOException {
        if (intoSet) {
            selector.select();
            selected.clear();
        } else {
            selector.select(action);
        }
    }

    private void onReady(SelectionKey key) {
        readyKeys += key.readyOps();
    }
}
