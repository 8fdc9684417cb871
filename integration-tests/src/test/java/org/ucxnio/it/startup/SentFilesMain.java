package org.ucxnio.it.startup;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Traffic;

/**
 * Sends a file by {@code FileChannel.transferTo} in all ways, and prints what became of it, alike on every provider. Ours is made to ask the kernel
 * first; whether it did is the last line. Argument {@code moved}: the first connection that sends files has left TCP before.
 */
final class SentFilesMain {
    /** What the last line begins with; bytes of files follow that the kernel has copied, as far as ours knows. */
    static final String BY_KERNEL = "BY KERNEL ";

    static final String MOVED = "moved";

    private static final int FILE_BYTES = 3 << 20;
    private static final int MANY_BYTES = 200_000;
    private static final int FEW_BYTES = 5000;
    private static final int ROUNDS = 150;

    /** A header without TCP_NODELAY has what is behind it wait for 40 ms. */
    private static final int FEW_ROUNDS = 10;

    private static final long SEED = 20_261_128;
    private static final long CALM_MILLIS = 200;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** Up to Java 21 the JDK's channels know nothing of a transfer: it knows not whether they are connected, and waits on where they are closed. */
    private static final boolean IS_LIKE_LATER_ONES = Runtime.version().feature() > 21;

    private static final int PIECE_BYTES = 8 << 10;
    private static final int PIECES = 100;

    private final Path path = Path.of("sent");
    private final byte[] content = new byte[FILE_BYTES];

    private SentFilesMain() throws IOException {
        new Random(SEED).nextBytes(content);
        Files.write(path, content);
    }

    public static void main(String[] arguments) throws Exception {
        SentFilesMain main = new SentFilesMain();
        main.writeWhatLooksLikeFiles();
        main.sendUntilChanged(arguments.length > 0);
        for (boolean blocking : new boolean[] {true, false}) {
            main.mixed(blocking);
            main.oddCalls(blocking);
        }
        main.onAVirtualThread();
        main.interrupted();
        main.closedMeanwhile();
        main.peerGone();
        System.out.println(BY_KERNEL + byKernel());
    }

    // -- what ours does ----------------------------------------------------------------------------------------------

    private static boolean isOurs() throws IOException {
        try (SocketChannel channel = SocketChannel.open()) {
            return channel.getClass().getName().startsWith("org.ucxnio.");
        }
    }

    /** Whether the agent has changed the JDK's method. */
    private static boolean isChanged() {
        try {
            Class.forName("sun.nio.ch.UcxnioTransfers", false, null);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static long byKernel() throws IOException {
        String report = isOurs() ? org.ucxnio.UcxNio.report() : "";
        return report.lines()
                .filter(line -> line.contains("copied by the kernel"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")))
                .sum();
    }

    /** Has nothing changed in the JVM. */
    private void writeWhatLooksLikeFiles() throws Exception {
        try (Pair pair = new Pair()) {
            Attempt<Boolean> received = Attempt.start(() -> receives(pair.far, 0, PIECES * PIECE_BYTES));
            for (int piece = 0; piece < PIECES; piece++) {
                byte[] bytes = Arrays.copyOfRange(content, piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES);
                write(pair.near, ByteBuffer.wrap(bytes));
            }
            note("pieces", received::result);
            Thread.sleep(CALM_MILLIS);
            note("changed", SentFilesMain::isChanged);
        }
    }

    /** Until then a program has sent some files, whose pieces were copied by Java. */
    private void sendUntilChanged(boolean moved) throws Exception {
        long start = System.nanoTime();
        try (Pair pair = new Pair();
                FileChannel file = FileChannel.open(path)) {
            while (moved && isOurs() && !hasMoved(pair) && System.nanoTime() - start < PATIENCE_NANOS) {
                Thread.onSpinWait();
            }
            pair.near.configureBlocking(false);
            while (isOurs() && !isChanged() && System.nanoTime() - start < PATIENCE_NANOS) {
                for (int i = 0; i < 20; i++) {
                    check(pair, file, i, MANY_BYTES);
                }
            }
        }
        if (isOurs() && !isChanged()) {
            throw new AssertionError("the JDK's method was not changed");
        }
    }

    /** Sends a byte. */
    private static boolean hasMoved(Pair pair) throws IOException {
        long before = Traffic.ofOurs().fastReceived();
        write(pair.near, ByteBuffer.allocate(1));
        pair.far.read(ByteBuffer.allocate(1));
        return Traffic.ofOurs().fastReceived() > before;
    }

    // -- what anybody sees -------------------------------------------------------------------------------------------

    private static final class Pair implements AutoCloseable {
        final SocketChannel near;
        final SocketChannel far;

        Pair() throws IOException {
            try (ServerSocketChannel listener = ServerSocketChannel.open()) {
                listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                near = SocketChannel.open(listener.getLocalAddress());
                far = listener.accept();
            }
        }

        @Override
        public void close() throws IOException {
            near.close();
            far.close();
        }
    }

    private static void note(String name, Callable<?> call) {
        String outcome;
        try {
            outcome = String.valueOf(call.call());
        } catch (Exception e) {
            outcome = e.getClass().getName();
        }
        System.out.println(name + ": " + outcome);
    }

    private void check(Pair pair, FileChannel file, long position, int count) throws Exception {
        Attempt<Boolean> received = Attempt.start(() -> receives(pair.far, (int) position, count));
        send(file, position, count, pair.near);
        if (!received.result()) {
            throw new AssertionError("other bytes came than were sent");
        }
    }

    private static void send(FileChannel file, long position, int count, SocketChannel to) throws IOException {
        long sent = 0;
        while (sent < count) {
            sent += file.transferTo(position + sent, count - sent, to);
        }
    }

    private boolean receives(SocketChannel from, int position, int count) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(count);
        while (target.hasRemaining() && from.read(target) >= 0) {
            // until all has come
        }
        return target.flip().equals(ByteBuffer.wrap(content, position, count));
    }

    private static void write(SocketChannel to, ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            to.write(source);
        }
    }

    /** Headers and files by turns, both of any length, and answers of a byte. */
    private void mixed(boolean blocking) throws Exception {
        Random random = new Random(SEED);
        try (Pair pair = new Pair();
                FileChannel file = FileChannel.open(path)) {
            pair.near.configureBlocking(blocking);
            for (int round = 0; round < ROUNDS; round++) {
                if (round == FEW_ROUNDS) {
                    note("TCP_NODELAY", () -> pair.near.getOption(StandardSocketOptions.TCP_NODELAY));
                    pair.near.setOption(StandardSocketOptions.TCP_NODELAY, true);
                }
                int position = random.nextInt(FILE_BYTES / 2);
                int header = random.nextInt(100);
                int count = random.nextInt(round % 3 == 0 ? MANY_BYTES : FEW_BYTES);
                Attempt<Boolean> received = Attempt.start(() -> receives(pair.far, position, header + count));
                write(pair.near, ByteBuffer.wrap(content, position, header));
                send(file, position + header, count, pair.near);
                if (!received.result()) {
                    throw new AssertionError("other bytes came than were sent in round " + round);
                }
                pair.far.write(ByteBuffer.allocate(1));
                ByteBuffer answer = ByteBuffer.allocate(1);
                while (answer.hasRemaining()) {
                    pair.near.read(answer);
                }
            }
            note("position of the file", file::position);
        }
    }

    private void oddCalls(boolean blocking) throws Exception {
        Pair pair = new Pair();
        FileChannel file = FileChannel.open(path);
        pair.near.configureBlocking(blocking);
        note("behind the end", () -> file.transferTo(FILE_BYTES, 10, pair.near));
        note("far behind the end", () -> file.transferTo(2 * FILE_BYTES, 10, pair.near));
        note("nothing", () -> file.transferTo(0, 0, pair.near));
        note("from before the file", () -> file.transferTo(-1, 10, pair.near));
        note("less than nothing", () -> file.transferTo(0, -1, pair.near));
        note("to nobody", () -> file.transferTo(0, 10, null));
        note("more than there is", () -> file.transferTo(FILE_BYTES - 10, Long.MAX_VALUE, pair.near));
        try (FileChannel unreadable = FileChannel.open(path, StandardOpenOption.WRITE)) {
            note("unreadable", () -> unreadable.transferTo(0, 10, pair.near));
        }
        try (FileChannel listed = FileChannel.open(Path.of("/proc/self/cmdline"))) {
            note("a file without a size", () -> listed.transferTo(0, 10, pair.near));
        }
        if (IS_LIKE_LATER_ONES) {
            try (SocketChannel unconnected = SocketChannel.open()) {
                note("to an unconnected channel", () -> file.transferTo(0, 10, unconnected));
            }
        }
        file.close();
        note("of a closed file", () -> file.transferTo(0, 10, pair.near));
        note("open", pair.near::isOpen);
        try (FileChannel again = FileChannel.open(path)) {
            pair.near.shutdownOutput();
            if (IS_LIKE_LATER_ONES) {
                note("behind the end of the output", () -> again.transferTo(0, 10, pair.near));
            }
            note("received", () -> receives(pair.far, FILE_BYTES - 10, 10));
            pair.near.close();
            note("to a closed channel", () -> again.transferTo(0, 10, pair.near));
        }
        pair.close();
    }

    private void onAVirtualThread() throws Exception {
        try (Pair pair = new Pair();
                FileChannel file = FileChannel.open(path)) {
            Attempt<Boolean> sent = Attempt.startVirtual(() -> {
                write(pair.near, ByteBuffer.wrap(content, 0, 1));
                send(file, 1, FILE_BYTES - 1, pair.near);
                return true;
            });
            note("from a virtual thread", () -> receives(pair.far, 0, FILE_BYTES));
            sent.result();
        }
    }

    // -- calls that wait ---------------------------------------------------------------------------------------------

    /** Sends a part of a file again and again, until nobody takes it any more, and one call waits. */
    private static final class Stuck {
        private final AtomicLong calls = new AtomicLong();
        final Attempt<Void> attempt;

        Stuck(FileChannel file, SocketChannel to) throws InterruptedException {
            attempt = Attempt.start(() -> {
                while (true) {
                    file.transferTo(0, PIECE_BYTES, to);
                    calls.incrementAndGet();
                }
            });
            long seen;
            do {
                seen = calls.get();
                Thread.sleep(CALM_MILLIS);
            } while (seen != calls.get());
        }

        void noteEnd(String name, FileChannel file, SocketChannel channel) throws InterruptedException {
            Throwable failure = attempt.failure();
            note(
                    name,
                    () -> failure.getClass().getName() + ", interrupted " + attempt.wasInterruptedAtEnd() + ", file "
                            + file.isOpen() + ", channel " + channel.isOpen());
        }
    }

    private void interrupted() throws Exception {
        if (!IS_LIKE_LATER_ONES) {
            return;
        }
        try (Pair pair = new Pair();
                FileChannel file = FileChannel.open(path)) {
            Stuck stuck = new Stuck(file, pair.near);
            stuck.attempt.thread().interrupt();
            stuck.noteEnd("interrupted", file, pair.near);
        }
        try (Pair pair = new Pair();
                FileChannel file = FileChannel.open(path)) {
            Attempt<Long> attempt = Attempt.start(() -> {
                Thread.currentThread().interrupt();
                return file.transferTo(0, 10, pair.near);
            });
            note("interrupted before", () -> attempt.failure().getClass().getName());
            note("channels", () -> file.isOpen() + " " + pair.near.isOpen());
        }
    }

    private void closedMeanwhile() throws Exception {
        if (!IS_LIKE_LATER_ONES && !isOurs()) {
            return;
        }
        try (Pair pair = new Pair();
                FileChannel file = FileChannel.open(path)) {
            Stuck stuck = new Stuck(file, pair.near);
            pair.near.close();
            if (IS_LIKE_LATER_ONES) {
                stuck.noteEnd("closed", file, pair.near);
            } else {
                stuck.attempt.failure();
            }
        }
    }

    private void peerGone() throws Exception {
        try (Pair pair = new Pair();
                FileChannel file = FileChannel.open(path)) {
            Stuck stuck = new Stuck(file, pair.near);
            pair.far.close();
            stuck.noteEnd("peer gone", file, pair.near);
        }
    }
}
