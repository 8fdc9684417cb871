package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.ucxnio.it.contract.Sides.bytes;
import static org.ucxnio.it.contract.Sides.fill;
import static org.ucxnio.it.contract.Sides.room;
import static org.ucxnio.it.contract.Sides.settle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Flavour;

/** Our channels under {@link Channels} and {@link FileChannel}. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Sides#all")
class StreamsAndFilesTest {
    private static final int FILE_BYTES = 100 << 20;
    private static final int FROM = 1001;

    /** A part of a file that a client asks for, several times. */
    private static final int PART_BYTES = 64 << 10;

    private static final int PARTS = 15;

    /** More than sockets and rings hold. */
    private static final int STREAM_BYTES = 30 << 20;

    private static final int ROUNDS = 40;

    /** The first whose streams over its own socket channels read and write at the same time. */
    private static final int TWO_WAYS_JAVA = 19;

    /** Processors are shared: so many times the JDK's time is no sign of anything. A part that waits for confirmations takes hundreds of times that. */
    private static final int MUCH = 30;

    @Parameter
    private Sides sides;

    @TempDir
    private Path directory;

    @AfterEach
    void close() throws IOException {
        sides.close();
    }

    private void expectLikeTheJdk(String name, Transcript.Ends ends) throws Exception {
        Transcript.expectEitherEndLikeTheJdk("streams " + name, sides, ends);
    }

    @Test
    void shouldCarryStreamsOfChannels() throws Exception {
        expectLikeTheJdk("channels", (t, near, far) -> {
            InputStream in = Channels.newInputStream(near);
            OutputStream out = Channels.newOutputStream(far);
            out.write("hello world".getBytes(StandardCharsets.UTF_8));
            t.call("read", () -> new String(in.readNBytes(5), StandardCharsets.UTF_8));
            t.call("skip", () -> in.skip(2));
            near.configureBlocking(false);
            far.configureBlocking(false);
            t.call("read non-blocking", in::read);
            t.act("write non-blocking", () -> out.write(1));
            near.configureBlocking(true);
            far.configureBlocking(true);
            out.close();
            t.call("read all", () -> new String(in.readAllBytes(), StandardCharsets.UTF_8));
            t.call("read", in::read);
            in.close();
            t.call("read closed", in::read);
            t.act("write closed", () -> out.write(1));
            t.call("open", near::isOpen);
        });
    }

    @Test
    void shouldCarryReadersAndWriters() throws Exception {
        expectLikeTheJdk("text", (t, near, far) -> {
            Writer writer = Channels.newWriter(near, StandardCharsets.UTF_8);
            BufferedReader reader = new BufferedReader(Channels.newReader(far, StandardCharsets.UTF_8));
            writer.write("h\u00e9llo\nworld\n");
            writer.flush();
            t.call("read", reader::readLine);
            t.call("read", reader::readLine);
            writer.close();
            t.call("read", reader::readLine);
        });
    }

    private static Attempt<String> blockedRead(InputStream in) throws InterruptedException {
        return Attempt.start(() -> Transcript.answer(in::read)).awaitInside("read");
    }

    /** Writes more than sockets and rings hold. */
    private static String writeMuch(OutputStream out) {
        return Transcript.answer(() -> {
            out.write(new byte[STREAM_BYTES]);
            return null;
        });
    }

    @Test
    void shouldEndABlockedStream() throws Exception {
        expectLikeTheJdk("blocked", (t, near, far) -> {
            InputStream in = Channels.newInputStream(near);
            Attempt<String> read = blockedRead(in);
            in.close();
            t.note(read.result());
            InputStream other = Channels.newInputStream(far);
            t.note(Attempt.start(() -> Transcript.answer(() -> {
                        Thread.currentThread().interrupt();
                        return other.read();
                    }))
                    .result());
        });
    }

    @Test
    void shouldInterruptABlockedStream() throws Exception {
        expectLikeTheJdk("interrupted", (t, near, far) -> {
            Attempt<String> read = blockedRead(Channels.newInputStream(near));
            read.thread().interrupt();
            t.note(read.result());
            t.note(read.wasInterruptedAtEnd());
            t.call("open", near::isOpen);
            OutputStream out = Channels.newOutputStream(far);
            Attempt<String> written = Attempt.start(() -> {
                Thread.currentThread().interrupt();
                return writeMuch(out);
            });
            t.note(written.result());
            t.note(written.wasInterruptedAtEnd());
            t.call("open", far::isOpen);
        });
    }

    @Test
    void shouldEndABlockedWriteOfAStream() throws Exception {
        for (boolean interrupt : new boolean[] {true, false}) {
            expectLikeTheJdk("blocked write " + interrupt, (t, near, far) -> {
                OutputStream out = Channels.newOutputStream(near);
                Attempt<String> written = Attempt.start(() -> writeMuch(out)).awaitInside("write");
                if (interrupt) {
                    written.thread().interrupt();
                } else {
                    near.close();
                }
                // Earlier Javas write once more to the channel that was closed.
                t.note(
                        Runtime.version().feature() < TWO_WAYS_JAVA
                                ? written.result().replace("AsynchronousCloseException", "ClosedChannelException")
                                : written.result());
                t.note(written.wasInterruptedAtEnd());
                t.call("open", near::isOpen);
            });
        }
    }

    /** On earlier Javas streams over the JDK's own channels have one lock for both directions. */
    private boolean takeTurns(SocketChannel channel) {
        return Runtime.version().feature() < TWO_WAYS_JAVA && channel.provider() == Flavour.JDK.provider();
    }

    @Test
    void shouldWriteToAStreamWhileAnotherThreadReads() throws Exception {
        SocketChannel[] pair = sides.pair();
        assumeFalse(takeTurns(pair[0]), "streams of this Java's own channels take turns");
        InputStream in = Channels.newInputStream(pair[0]);
        OutputStream out = Channels.newOutputStream(pair[0]);
        for (int i = 0; i < ROUNDS; i++) {
            int value = i;
            Attempt<Integer> read = Attempt.start(in::read);
            if (i % 2 == 0) {
                read.awaitInside("read");
            }
            Attempt<Boolean> written = Attempt.start(() -> {
                out.write(value);
                return true;
            });
            assertThat(written.result()).isTrue();
            ByteBuffer heard = room(1);
            fill(heard, pair[1]);
            pair[1].write(heard.flip());
            assertThat(read.result()).isEqualTo(value);
        }
    }

    @Test
    void shouldStreamBothWaysAtTheSameTime() throws Exception {
        SocketChannel[] pair = sides.pair();
        assumeFalse(takeTurns(pair[0]), "streams of this Java's own channels take turns");
        InputStream in = Channels.newInputStream(pair[0]);
        OutputStream out = Channels.newOutputStream(pair[0]);
        Attempt<Boolean> echoed = Attempt.start(() -> {
            ByteBuffer buffer = room(PART_BYTES);
            while (pair[1].read(buffer) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    pair[1].write(buffer);
                }
                buffer.clear();
            }
            pair[1].shutdownOutput();
            return true;
        });
        Attempt<Boolean> written = Attempt.start(() -> {
            out.write(Data.BYTES, 0, STREAM_BYTES);
            pair[0].shutdownOutput();
            return true;
        });
        byte[] back = in.readNBytes(STREAM_BYTES + 1);
        assertThat(written.result()).isTrue();
        assertThat(echoed.result()).isTrue();
        assertThat(Arrays.equals(back, 0, back.length, Data.BYTES, 0, STREAM_BYTES))
                .isTrue();
    }

    /** Made once for the class. */
    private static final class Data {
        private static final byte[] BYTES = make();

        private static byte[] make() {
            byte[] bytes = new byte[FILE_BYTES];
            new Random(FILE_BYTES).nextBytes(bytes);
            return bytes;
        }
    }

    private Path file() throws IOException {
        Path file = directory.resolve("data");
        return Files.exists(file) ? file : Files.write(file, Data.BYTES);
    }

    private static boolean receives(SocketChannel channel, int from, int to) throws IOException {
        ByteBuffer buffer = room(to - from + 1);
        while (channel.read(buffer) >= 0) {
            // until the end
        }
        return buffer.position() == to - from && Arrays.equals(buffer.array(), 0, to - from, Data.BYTES, from, to);
    }

    @Test
    void shouldTakeAFile() throws Exception {
        Path path = file();
        for (boolean blocking : new boolean[] {true, false}) {
            Transcript.expectLikeTheJdk("file to " + blocking, sides, (t, s) -> {
                SocketChannel[] pair = s.pair();
                pair[0].configureBlocking(blocking);
                try (FileChannel file = FileChannel.open(path)) {
                    Attempt<Boolean> received = Attempt.start(() -> receives(pair[1], FROM, FILE_BYTES));
                    long position = FROM;
                    while (position < FILE_BYTES) {
                        position += file.transferTo(position, FILE_BYTES - position, pair[0]);
                    }
                    t.call("behind the end", () -> file.transferTo(FILE_BYTES, 10, pair[0]));
                    t.call("nothing", () -> file.transferTo(0, 0, pair[0]));
                    t.call("before", () -> file.transferTo(-1, 10, pair[0]));
                    pair[0].shutdownOutput();
                    t.note(received.result());
                    t.note(file.position());
                    pair[0].close();
                    t.call("to a closed channel", () -> file.transferTo(0, 10, pair[0]));
                    t.call("to an unconnected channel", () -> file.transferTo(0, 10, s.socket()));
                }
            });
        }
    }

    /** The near end asks and the far one, which keeps short segments back as every fresh socket does, sends a part of a file. */
    private static long nanosForAPart(SocketChannel[] pair, FileChannel file) throws Exception {
        long start = System.nanoTime();
        pair[0].write(room(1));
        fill(room(1), pair[1]);
        long position = 0;
        while (position < PART_BYTES) {
            position += file.transferTo(position, PART_BYTES - position, pair[1]);
        }
        fill(room(PART_BYTES), pair[0]);
        return System.nanoTime() - start;
    }

    @Test
    void shouldNotKeepPiecesOfAFileBack() throws Exception {
        long[] nanos = new long[PARTS];
        long[] nanosOfTheJdk = new long[PARTS];
        try (Sides jdk = Sides.ofTheJdk();
                FileChannel file = FileChannel.open(file())) {
            SocketChannel[] pair = sides.pair();
            SocketChannel[] pairOfTheJdk = jdk.pair();
            for (int i = 0; i < PARTS; i++) {
                nanos[i] = nanosForAPart(pair, file);
                nanosOfTheJdk[i] = nanosForAPart(pairOfTheJdk, file);
            }
        }
        Arrays.sort(nanos);
        Arrays.sort(nanosOfTheJdk);
        assertThat(nanos[PARTS / 2]).isLessThan(MUCH * nanosOfTheJdk[PARTS / 2]);
    }

    @Test
    void shouldFillAFile() throws Exception {
        Path path = directory.resolve("filled");
        expectLikeTheJdk("file from", (t, near, far) -> {
            try (FileChannel file = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                Attempt<Boolean> sent = Attempt.start(() -> {
                    ByteBuffer data = ByteBuffer.wrap(Data.BYTES, 0, 5_000_000);
                    while (data.hasRemaining()) {
                        far.write(data);
                    }
                    far.close();
                    return true;
                });
                long position = 0;
                long count = 1;
                while (count > 0) {
                    count = file.transferFrom(near, position, 1_000_000);
                    position += count;
                }
                t.note(position + " " + sent.result());
                t.call("at the end", () -> file.transferFrom(near, 0, 10));
                near.close();
                t.call("closed", () -> file.transferFrom(near, 0, 10));
            }
            t.note(Arrays.equals(Files.readAllBytes(path), 0, 5_000_000, Data.BYTES, 0, 5_000_000));
        });
        Transcript.expectLikeTheJdk("file from, non-blocking", sides, (t, s) -> {
            SocketChannel[] pair = s.nonBlockingPair();
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                t.call("nothing there", () -> file.transferFrom(pair[0], 0, 10));
                pair[1].write(bytes("abcdef"));
                settle();
                t.call("something there", () -> file.transferFrom(pair[0], 0, 10));
            }
        });
    }
}
