package org.ucxnio.it.footprint;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ucxnio.it.harness.Traffic;

/**
 * Sends small messages to an echo server and tells how many bytes of heap its one thread allocated meanwhile. Arguments:
 * port, how to wait, kind of buffers, bytes of a message, bytes that a batch may allocate.
 */
final class AllocationMain {
    /** Round trips in a batch; each is a write, a read and, with a selector, one selection or more. */
    static final int ROUNDS = 10_000;

    /** Batches that warm up. */
    static final int WARM_UP = 3;

    /** Batches measured at most; the first that allocates no more than it may is the last. */
    static final int BATCHES = 10;

    /** How long a connection may take to move. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** What the line of each measured batch starts with; the bytes allocated follow. */
    static final String ALLOCATED = "ALLOCATED ";

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final SocketChannel channel;
    private final ByteBuffer source;
    private final ByteBuffer target;
    private final ByteBuffer[] sources;
    private final ByteBuffer[] targets;
    private final Waiting waiting;
    private final Selector selector;
    private final SelectionKey key;
    private final Consumer<SelectionKey> onReady = this::take;

    /** How the thread waits for the echo. */
    enum Waiting {
        /** In a blocking read. */
        BLOCKING_READ,
        /** In a blocking read that scatters, after a write that gathers. */
        BLOCKING_SCATTER_GATHER,
        /** By calling {@code selectNow} until there is something; the keys are known, the set is cleared. */
        SELECT_NOW,
        /** By {@code select}; the keys are known, the set is cleared. */
        SELECT,
        /** By {@code select} with a timeout; the keys are known, the set is cleared. */
        SELECT_WITH_TIMEOUT,
        /** By {@code select} with an action made once. */
        SELECT_WITH_ACTION,
        /** By {@code select}, walking the selected keys with an iterator, which is an object of its own each time. */
        SELECT_AND_ITERATE,
        /** By {@code select}, with interest in writing on and off again in each round. */
        SELECT_AND_CHANGE_INTEREST
    }

    private AllocationMain(SocketChannel channel, Waiting waiting, boolean direct, int length) throws IOException {
        this.channel = channel;
        this.waiting = waiting;
        source = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
        target = direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
        sources = new ByteBuffer[] {source.slice(0, length / 2), source.slice(length / 2, length - length / 2)};
        targets = new ByteBuffer[] {target.slice(0, length / 2), target.slice(length / 2, length - length / 2)};
        if (waiting.name().startsWith("BLOCKING")) {
            selector = null;
            key = null;
        } else {
            channel.configureBlocking(false);
            selector = Selector.open();
            key = channel.register(selector, SelectionKey.OP_READ);
        }
    }

    public static void main(String[] arguments) throws IOException {
        SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])));
        AllocationMain program = new AllocationMain(
                channel, Waiting.valueOf(arguments[1]), arguments[2].equals("direct"), Integer.parseInt(arguments[3]));
        long start = System.nanoTime();
        while (Traffic.ofThisJvm().rings() == 0 && System.nanoTime() - start < PATIENCE_NANOS) {
            program.batch();
        }
        for (int batch = 0; batch < WARM_UP; batch++) {
            program.batch();
        }
        long allowed = Long.parseLong(arguments[4]);
        long allocated = Long.MAX_VALUE;
        for (int batch = 0; batch < BATCHES && allocated > allowed; batch++) {
            allocated = program.batch();
            System.out.println(ALLOCATED + allocated);
        }
        System.out.println(Traffic.ofThisJvm().toLine());
    }

    /** One batch; returns the bytes this thread allocated in it. */
    private long batch() throws IOException {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < ROUNDS; i++) {
            round(i);
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private void round(int number) throws IOException {
        source.clear().putInt(0, number);
        target.clear();
        if (waiting == Waiting.BLOCKING_SCATTER_GATHER) {
            exchangeParts();
        } else {
            while (source.hasRemaining()) {
                channel.write(source);
            }
            if (waiting == Waiting.SELECT_AND_CHANGE_INTEREST) {
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                key.interestOps(SelectionKey.OP_READ);
            }
            while (target.hasRemaining()) {
                if (selector == null) {
                    channel.read(target);
                } else {
                    select();
                }
            }
        }
        if (target.getInt(0) != number) {
            throw new IllegalStateException("Round " + number + " brought " + target.getInt(0));
        }
    }

    private void exchangeParts() throws IOException {
        sources[0].clear();
        sources[1].clear();
        while (sources[1].hasRemaining()) {
            channel.write(sources);
        }
        targets[0].clear();
        targets[1].clear();
        while (targets[1].hasRemaining()) {
            channel.read(targets);
        }
    }

    private void select() throws IOException {
        switch (waiting) {
            case SELECT_NOW -> takeKnownKey(selector.selectNow());
            case SELECT_WITH_TIMEOUT -> takeKnownKey(selector.select(1000));
            case SELECT_WITH_ACTION -> selector.select(onReady);
            case SELECT_AND_ITERATE -> iterate();
            default -> takeKnownKey(selector.select());
        }
    }

    private void takeKnownKey(int ready) {
        Set<SelectionKey> selected = selector.selectedKeys();
        if (ready > 0 && selected.contains(key)) {
            take(key);
            selected.clear();
        }
    }

    private void iterate() throws IOException {
        selector.select();
        Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
        while (keys.hasNext()) {
            take(keys.next());
            keys.remove();
        }
    }

    private void take(SelectionKey ready) {
        try {
            if (ready.isReadable()) {
                channel.read(target);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
