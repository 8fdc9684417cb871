package org.ucxnio.it.contract;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Threads;

/**
 * Threads, platform and virtual ones, that do whatever comes into their heads with a few connections and selectors that they share:
 * connect, register, change interests, cancel, select, wake up, read, write, switch modes, shut down, close. Nobody may stand still,
 * and nobody may see an exception that such a mess does not excuse.
 */
final class Storm {
    private static final int CONNECTIONS = 12;
    private static final int SELECTORS = 3;
    private static final int THREADS = 10;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long BLOCKED_MS = 20;
    private static final int LARGEST = 200_000;

    private final Sides sides;
    private final ServerSocketChannel listener;
    private final AtomicReferenceArray<SocketChannel> channels = new AtomicReferenceArray<>(2 * CONNECTIONS);
    private final AtomicReferenceArray<Selector> selectors = new AtomicReferenceArray<>(SELECTORS);
    private final List<Throwable> unexpected = Collections.synchronizedList(new ArrayList<>());
    private final ConcurrentHashMap<Thread, Long> lastStep = new ConcurrentHashMap<>();

    /** Who uses a channel that did not block a moment ago. */
    private final ConcurrentHashMap<Thread, SocketChannel> unguarded = new ConcurrentHashMap<>();

    /** Those of the JDK's channels: shared by whoever reads or writes, held alone by whoever changes the mode. */
    private final ConcurrentHashMap<SocketChannel, ReadWriteLock> modes = new ConcurrentHashMap<>();

    private final long endNanos;

    private Storm(Sides sides, long seconds) throws IOException {
        this.sides = sides;
        this.listener = sides.server().provider().openServerSocketChannel();
        listener.bind(Sides.loopback(Ports.free()));
        listener.configureBlocking(false);
        endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    /** Lets it rage; throws what was wrong. */
    static void run(Sides sides, long seed, long seconds) throws Exception {
        Storm storm = new Storm(sides, seconds);
        try {
            storm.rage(new SplittableRandom(seed));
        } finally {
            storm.closeAll();
        }
    }

    private void rage(SplittableRandom seeds) throws Exception {
        for (int i = 0; i < SELECTORS; i++) {
            selectors.set(i, openSelector());
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            SplittableRandom random = seeds.split();
            String name = "storm-" + i;
            threads.add(
                    i % 2 == 0 ? Threads.daemon(name, () -> work(random)) : Threads.virtual(name, () -> work(random)));
        }
        for (Thread thread : threads) {
            while (!Threads.join(thread, TimeUnit.MILLISECONDS.toNanos(100))) {
                if (System.nanoTime() - endNanos > 0) {
                    closeUnguarded();
                }
                expectProgress();
            }
        }
        if (!unexpected.isEmpty()) {
            throw new AssertionError(unexpected.size() + " unexpected, first " + unexpected.get(0), unexpected.get(0));
        }
    }

    /** Where a channel was made a blocking one right behind its user's look at that, nobody else ends the call any more. */
    private void closeUnguarded() throws IOException {
        for (SocketChannel channel : unguarded.values()) {
            channel.close();
        }
    }

    private void expectProgress() {
        long now = System.nanoTime();
        for (Long step : lastStep.values()) {
            if (now - step > PATIENCE_NANOS) {
                throw standstill(now);
            }
        }
    }

    /** What every thread is at, as those that stand still may wait for each other. */
    private AssertionError standstill(long now) {
        AssertionError all = new AssertionError("Some stand still");
        lastStep.forEach((thread, step) -> {
            Throwable each = new Throwable(
                    thread.getName() + ", " + TimeUnit.NANOSECONDS.toMillis(now - step) + " ms into its step");
            each.setStackTrace(thread.getStackTrace());
            all.addSuppressed(each);
        });
        return all;
    }

    private void work(SplittableRandom random) {
        Thread self = Thread.currentThread();
        while (System.nanoTime() - endNanos < 0) {
            lastStep.put(self, System.nanoTime());
            try {
                step(random);
            } catch (IOException
                    | CancelledKeyException
                    | ClosedSelectorException
                    | IllegalBlockingModeException
                    | NotYetConnectedException e) {
                // What others did to the same channel excuses it.
                Thread.onSpinWait();
            } catch (Throwable e) {
                unexpected.add(e);
            }
            Thread.interrupted();
        }
        lastStep.remove(self);
    }

    private Selector openSelector() throws IOException {
        Flavour ours = sides.ours();
        return ours.provider().openSelector();
    }

    private void step(SplittableRandom random) throws IOException {
        int slot = random.nextInt(channels.length());
        SocketChannel channel = channels.get(slot);
        int what = random.nextInt(100);
        if (channel == null || !channel.isOpen() || what < 2) {
            connect(slot, random.nextBoolean());
        } else if (what < 20) {
            register(channel, random);
        } else if (what < 40) {
            select(random);
        } else if (what < 60) {
            write(channel, random);
        } else if (what < 80) {
            read(channel, random);
        } else if (what < 88) {
            changeKey(channel, random);
        } else if (what < 92) {
            configureBlocking(channel, random.nextBoolean());
        } else if (what < 94) {
            accept(random.nextInt(channels.length()));
        } else {
            end(channel, random);
        }
    }

    private void connect(int slot, boolean blocking) throws IOException {
        SocketChannel fresh = sides.client().provider().openSocketChannel();
        put(slot, fresh);
        configureBlocking(fresh, blocking);
        fresh.connect(listener.getLocalAddress());
        accept(slot ^ 1);
    }

    /**
     * A read that comes between a change of a JDK's channel to non-blocking mode and the note that it is in that mode may stand still for
     * good (Java 25: it takes the channel for a blocking one and waits in {@code poll}, from which a close of a non-blocking one does not
     * wake it). So there nobody changes the mode while others read or write.
     */
    private void configureBlocking(SocketChannel channel, boolean block) throws IOException {
        if (isOurs(channel)) {
            channel.configureBlocking(block);
            return;
        }
        Lock alone = mode(channel).writeLock();
        if (!alone.tryLock()) {
            throw new IllegalBlockingModeException();
        }
        try {
            channel.configureBlocking(block);
        } finally {
            alone.unlock();
        }
    }

    private static boolean isOurs(SocketChannel channel) {
        return channel.getClass().getName().startsWith("org.ucxnio.");
    }

    private ReadWriteLock mode(SocketChannel channel) {
        return modes.computeIfAbsent(channel, any -> new ReentrantReadWriteLock());
    }

    private void accept(int slot) throws IOException {
        SocketChannel accepted = listener.accept();
        if (accepted != null) {
            put(slot, accepted);
        }
    }

    private void put(int slot, SocketChannel channel) throws IOException {
        SocketChannel before = channels.getAndSet(slot, channel);
        if (before != null) {
            before.close();
        }
    }

    private void register(SocketChannel channel, SplittableRandom random) throws IOException {
        configureBlocking(channel, false);
        if (channel.isConnectionPending()) {
            channel.finishConnect();
        }
        Selector selector = selectors.get(random.nextInt(SELECTORS));
        channel.register(selector, random.nextInt(4) << 2 & channel.validOps() | random.nextInt(2), channel);
    }

    private void select(SplittableRandom random) throws IOException {
        int slot = random.nextInt(SELECTORS);
        Selector selector = selectors.get(slot);
        switch (random.nextInt(12)) {
            case 0 -> selector.wakeup();
            case 1 -> selector.selectNow(key -> key.attachment());
            case 2 -> selector.select(key -> key.attachment(), 1 + random.nextInt(3));
            case 3 -> {
                if (random.nextInt(10) == 0) {
                    selectors.getAndSet(slot, openSelector()).close();
                }
            }
            case 4 -> {
                Thread.currentThread().interrupt();
                selector.select(100);
            }
            default -> selectAndUse(selector, random);
        }
    }

    private void selectAndUse(Selector selector, SplittableRandom random) throws IOException {
        selector.select(1 + random.nextInt(3));
        List<SelectionKey> ready;
        synchronized (selector) {
            synchronized (selector.selectedKeys()) {
                ready = List.copyOf(selector.selectedKeys());
                selector.selectedKeys().clear();
            }
        }
        for (SelectionKey key : ready) {
            SocketChannel channel = (SocketChannel) key.channel();
            if (key.isReadable()) {
                read(channel, random);
            }
        }
    }

    private void write(SocketChannel channel, SplittableRandom random) throws IOException {
        ByteBuffer source = random.nextBoolean()
                ? ByteBuffer.allocate(random.nextInt(LARGEST))
                : ByteBuffer.allocateDirect(random.nextInt(1000));
        guarded(channel, random, () -> channel.write(new ByteBuffer[] {source, source.duplicate()}));
    }

    private void read(SocketChannel channel, SplittableRandom random) throws IOException {
        guarded(channel, random, () -> channel.read(ByteBuffer.allocate(random.nextInt(LARGEST))));
    }

    private interface Use {
        void use() throws IOException;
    }

    private void guarded(SocketChannel channel, SplittableRandom random, Use use) throws IOException {
        if (isOurs(channel)) {
            guardedNow(channel, random, use);
            return;
        }
        Lock shared = mode(channel).readLock();
        if (shared.tryLock()) {
            try {
                guardedNow(channel, random, use);
            } finally {
                shared.unlock();
            }
        }
    }

    /** A call that may block for good: somebody ends it. */
    private void guardedNow(SocketChannel channel, SplittableRandom random, Use use) throws IOException {
        Thread blocked = Thread.currentThread();
        if (!channel.isBlocking()) {
            unguarded.put(blocked, channel);
            try {
                use.use();
            } finally {
                unguarded.remove(blocked);
            }
            return;
        }
        // A thread that is interrupted in a blocking read of the JDK's while another one closes the channel may stand
        // still for good
        // (Java 25: the closer, with the channel's close lock, waits for the reader, which wants that lock to close as
        // well).
        boolean interrupt = random.nextBoolean() && sides.areOurs();
        Thread guard = Threads.virtual("guard", () -> {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(BLOCKED_MS));
            if (Thread.interrupted()) {
                return;
            }
            try {
                if (interrupt) {
                    blocked.interrupt();
                } else {
                    channel.close();
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            use.use();
        } finally {
            guard.interrupt();
        }
    }

    private void changeKey(SocketChannel channel, SplittableRandom random) {
        SelectionKey key = channel.keyFor(selectors.get(random.nextInt(SELECTORS)));
        if (key == null) {
            return;
        }
        switch (random.nextInt(4)) {
            case 0 -> key.cancel();
            case 1 -> key.interestOps(SelectionKey.OP_READ);
            case 2 -> key.interestOpsOr(SelectionKey.OP_WRITE);
            default -> key.interestOpsAnd(~SelectionKey.OP_WRITE);
        }
    }

    private static void end(SocketChannel channel, SplittableRandom random) throws IOException {
        switch (random.nextInt(4)) {
            case 0 -> channel.shutdownOutput();
            case 1 -> channel.shutdownInput();
            case 2 -> channel.socket().setSoLinger(true, 0);
            default -> channel.close();
        }
    }

    private void closeAll() throws IOException {
        listener.close();
        for (int i = 0; i < channels.length(); i++) {
            SocketChannel channel = channels.get(i);
            if (channel != null) {
                channel.close();
            }
        }
        for (int i = 0; i < SELECTORS; i++) {
            if (selectors.get(i) != null) {
                selectors.get(i).close();
            }
        }
    }
}
