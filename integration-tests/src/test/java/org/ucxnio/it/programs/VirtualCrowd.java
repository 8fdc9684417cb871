package org.ucxnio.it.programs;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.ucxnio.it.harness.Traffic;

/**
 * Thousands of virtual threads, blocked all at once, kind after kind, in calls on channels and selectors of the default provider. Behind
 * each kind it says how many carriers there are, and whether another virtual thread still runs; at the end what was pinned.
 */
public final class VirtualCrowd {
    private static final String PINNED = "jdk.VirtualThreadPinned";
    private static final int CONNECTIONS = 150;
    private static final int THREADS_EACH = 5;
    private static final int SELECTORS = 12;
    private static final int BUFFER_BYTES = 16 << 10;
    private static final int MOST_BYTES = 64 << 20;
    private static final int TICKS = 1000;
    private static final int PROBE_MILLIS = 100;
    private static final int PROBES = 5;
    private static final int SETTLE_MILLIS = 1000;
    private static final long PATIENCE_NANOS = 20_000_000_000L;

    /** A call that is to block. */
    @FunctionalInterface
    private interface Call {
        void run() throws Exception;
    }

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<Thread> crowd = new ArrayList<>();
    private final VirtualThreadSchedulerMXBean scheduler =
            ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);

    private VirtualCrowd() {}

    public static void main(String[] arguments) throws Exception {
        try (Recording recording = new Recording()) {
            recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
            recording.start();
            new VirtualCrowd().run();
            recording.stop();
            Path file = Path.of("crowd.jfr");
            recording.dump(file);
            RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals(PINNED))
                    .forEach(VirtualCrowd::printPinned);
            Files.delete(file);
        }
        System.out.println("END");
    }

    private static void printPinned(RecordedEvent event) {
        StringBuilder frames = new StringBuilder(" (" + event.getString("pinnedReason") + ")");
        if (event.getStackTrace() != null) {
            event.getStackTrace()
                    .getFrames()
                    .forEach(frame -> frames.append(' ')
                            .append(frame.getMethod().getType().getName())
                            .append('.')
                            .append(frame.getMethod().getName()));
        }
        System.out.println("PINNED" + frames);
    }

    private void run() throws Exception {
        List<SocketChannel> ours = connectToOurs(CONNECTIONS);
        awaitMove();
        List<SocketChannel> plain = connectToPlain(CONNECTIONS);
        System.out.println(Traffic.ofThisJvm().toLine());
        block("read", ours, channel -> channel.read(ByteBuffer.allocateDirect(1)));
        block("read plain", plain, channel -> channel.read(ByteBuffer.allocateDirect(1)));
        block("write", ours, channel -> writeForEver(channel));
        block("write plain", plain, channel -> writeForEver(channel));
        block("accept", listeners(), ServerSocketChannel::accept);
        InetSocketAddress silent = silent();
        block("connect", opened(), channel -> channel.connect(silent));
        block("select plain", selectors(connectToPlain(SELECTORS)), Selector::select);
        block("select", selectors(connectToOurs(SELECTORS)), Selector::select);
        end();
    }

    /** Connections move in the background, those that can: until the first of ours have, and a while for the others. */
    private static void awaitMove() throws InterruptedException {
        boolean isOurs = SelectorProvider.provider().getClass().getName().startsWith("org.ucxnio.");
        long start = System.nanoTime();
        while (isOurs && !hasAnyMoved() && System.nanoTime() - start < PATIENCE_NANOS) {
            Thread.sleep(1);
        }
        Thread.sleep(SETTLE_MILLIS);
    }

    private static boolean hasAnyMoved() {
        Traffic traffic = Traffic.ofThisJvm();
        return traffic.rings() + traffic.accelerated() > 0;
    }

    // -- what they block in ------------------------------------------------------------------------------------------

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private <T extends AutoCloseable> T keep(T closeable) {
        open.add(closeable);
        return closeable;
    }

    /** Connections within this JVM, which have carried a byte each way. */
    private List<SocketChannel> connectToOurs(int count) throws IOException {
        ServerSocketChannel listener = keep(ServerSocketChannel.open()).bind(loopback(0));
        List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SocketChannel client = keep(SocketChannel.open());
            client.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
            client.connect(listener.getLocalAddress());
            SocketChannel server = keep(listener.accept());
            client.write(ByteBuffer.allocate(1));
            server.read(ByteBuffer.allocate(1));
            server.write(ByteBuffer.allocate(1));
            client.read(ByteBuffer.allocate(1));
            channels.add(client);
        }
        return channels;
    }

    /** Connections to sockets of another kind. */
    private List<SocketChannel> connectToPlain(int count) throws IOException {
        ServerSocket listener = keep(new ServerSocket(0, count, InetAddress.getLoopbackAddress()));
        listener.setReceiveBufferSize(BUFFER_BYTES);
        List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SocketChannel client = keep(SocketChannel.open());
            client.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
            client.connect(listener.getLocalSocketAddress());
            keep(listener.accept());
            channels.add(client);
        }
        return channels;
    }

    private static void writeForEver(SocketChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocateDirect(BUFFER_BYTES);
        for (int written = 0; written < MOST_BYTES; written += BUFFER_BYTES) {
            channel.write(bytes.clear());
        }
    }

    private List<ServerSocketChannel> listeners() throws IOException {
        List<ServerSocketChannel> listeners = new ArrayList<>();
        for (int i = 0; i < SELECTORS; i++) {
            listeners.add(keep(ServerSocketChannel.open()).bind(loopback(0)));
        }
        return listeners;
    }

    private List<SocketChannel> opened() throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            channels.add(keep(SocketChannel.open()));
        }
        return channels;
    }

    /** The address of a listener that accepts nobody any more. */
    private InetSocketAddress silent() throws IOException {
        ServerSocket listener = keep(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
        // On a busy machine one that is accepted may take that long, too.
        int unanswered = 0;
        while (unanswered < PROBES) {
            try {
                keep(new Socket()).connect(listener.getLocalSocketAddress(), PROBE_MILLIS);
                unanswered = 0;
            } catch (SocketTimeoutException full) {
                unanswered++;
            }
        }
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    private List<Selector> selectors(List<SocketChannel> channels) throws IOException {
        List<Selector> selectors = new ArrayList<>();
        for (SocketChannel channel : channels) {
            Selector selector = keep(Selector.open());
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            selectors.add(selector);
        }
        return selectors;
    }

    // -- the crowd ---------------------------------------------------------------------------------------------------

    /** What a thread does with its channel or selector. */
    @FunctionalInterface
    private interface Use<T> {
        void on(T target) throws Exception;
    }

    /** Blocks several threads on each; the one that comes first waits for the peer, the others for it. */
    private <T> void block(String kind, List<T> targets, Use<T> use) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(targets.size() * THREADS_EACH);
        for (int i = 0; i < THREADS_EACH; i++) {
            for (T target : targets) {
                threads.add(start(kind, begun, () -> use.on(target)));
            }
        }
        crowd.addAll(threads);
        awaitBlocked(kind, threads, begun);
        tick(kind);
        System.out.println("BLOCKED " + kind + ", threads " + threads.size() + ", carriers " + scheduler.getPoolSize());
    }

    private static Thread start(String kind, CountDownLatch begun, Call call) {
        return Thread.ofVirtual().name(kind).start(() -> {
            begun.countDown();
            try {
                call.run();
            } catch (Exception e) {
                // Everything is closed at the end; a thread that ends before is missed by then.
                return;
            }
        });
    }

    private void awaitBlocked(String kind, List<Thread> threads, CountDownLatch begun) throws InterruptedException {
        long start = System.nanoTime();
        await(kind + ": threads that have not begun", begun);
        while (!threads.stream().allMatch(VirtualCrowd::isBlocked)) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                fail(kind + ": threads that do not block: "
                        + threads.stream().filter(thread -> !isBlocked(thread)).count());
            }
            Thread.sleep(1);
        }
    }

    private static boolean isBlocked(Thread thread) {
        return switch (thread.getState()) {
            case WAITING, TIMED_WAITING, BLOCKED -> true;
            default -> false;
        };
    }

    /** Another virtual thread goes on, and gets its turn again and again. */
    private void tick(String kind) throws InterruptedException {
        CountDownLatch ticks = new CountDownLatch(TICKS);
        Thread.startVirtualThread(() -> {
            while (ticks.getCount() > 0) {
                ticks.countDown();
                Thread.yield();
            }
        });
        await(kind + ": turns that another virtual thread did not get", ticks);
    }

    private void await(String what, CountDownLatch latch) throws InterruptedException {
        if (!latch.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS)) {
            fail(what + ": " + latch.getCount());
        }
    }

    private void fail(String what) {
        System.out.println("STUCK " + what + ", carriers " + scheduler.getPoolSize());
        Runtime.getRuntime().halt(1);
    }

    private void end() throws Exception {
        for (AutoCloseable closeable : open.reversed()) {
            closeable.close();
        }
        long start = System.nanoTime();
        for (Thread thread : crowd) {
            if (!thread.join(Duration.ofNanos(PATIENCE_NANOS - (System.nanoTime() - start)))) {
                fail("everything is closed, and still in " + thread.getName());
            }
        }
    }
}
