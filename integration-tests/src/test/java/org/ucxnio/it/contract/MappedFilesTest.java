package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;

/** Buffers that are mapped from files, of which some pages are in memory and others are not. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Sides#all")
class MappedFilesTest {
    private static final int PAGE = 4096;
    private static final int PAGES = 60;
    private static final int BYTES = PAGES * PAGE;

    @Parameter
    private Sides sides;

    @TempDir
    private Path directory;

    private Path path;
    private final Random random = new Random(5);

    @BeforeEach
    void name() throws IOException {
        path = Files.createTempFile(directory, "mapped", "");
    }

    /** A file with holes, which are not in memory until somebody reads them; the rest is, as it was just written. */
    private byte[] fill() throws IOException {
        byte[] content = new byte[BYTES];
        byte[] page = new byte[PAGE];
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
            for (int at = 0; at < BYTES; at += 3 * PAGE) {
                random.nextBytes(page);
                System.arraycopy(page, 0, content, at, PAGE);
                file.write(ByteBuffer.wrap(page), at);
            }
            file.write(ByteBuffer.wrap(new byte[1]), BYTES - 1);
        }
        return content;
    }

    private MappedByteBuffer map(MapMode mode, int bytes) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return file.map(mode, 0, bytes);
        }
    }

    private static byte[] receive(SocketChannel channel, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        Sides.fill(buffer, channel);
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private static void send(SocketChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    private static byte[] joined(byte[]... parts) {
        ByteBuffer all = ByteBuffer.allocate(
                Arrays.stream(parts).mapToInt(part -> part.length).sum());
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }

    @Test
    void shouldWriteOne() throws Exception {
        for (boolean blocking : new boolean[] {true, false}) {
            byte[] content = fill();
            MappedByteBuffer mapped = map(MapMode.READ_ONLY, BYTES);
            assertThat(mapped.isLoaded()).isFalse();
            SocketChannel[] pair = sides.pair();
            pair[0].configureBlocking(blocking);
            Attempt<byte[]> received = Attempt.start(() -> receive(pair[1], BYTES));

            while (mapped.hasRemaining()) {
                pair[0].write(mapped);
            }

            assertThat(received.result()).isEqualTo(content);
            sides.close();
            Files.write(path, new byte[0]);
        }
    }

    @Test
    void shouldGatherOnesAndOthers() throws Exception {
        byte[] content = fill();
        byte[] head = {1, 2, 3};
        MappedByteBuffer mapped = map(MapMode.READ_WRITE, BYTES);
        ByteBuffer part = mapped.slice(PAGE - 1, 2 * PAGE);
        byte[] ofPart = Arrays.copyOfRange(content, PAGE - 1, 3 * PAGE - 1);
        byte[] expected = joined(head, ofPart, content, ofPart, head);
        SocketChannel[] pair = sides.pair();
        Attempt<byte[]> received = Attempt.start(() -> receive(pair[1], expected.length));
        ByteBuffer heap = ByteBuffer.wrap(head);
        ByteBuffer[] sources = {heap, part, mapped, part, heap};

        while (Arrays.stream(sources).anyMatch(ByteBuffer::hasRemaining)) {
            pair[0].write(sources);
        }

        assertThat(received.result()).isEqualTo(expected);
    }

    @Test
    void shouldReadIntoOne() throws Exception {
        byte[] content = new byte[BYTES];
        random.nextBytes(content);
        for (boolean blocking : new boolean[] {true, false}) {
            MappedByteBuffer mapped = map(MapMode.READ_WRITE, BYTES);
            SocketChannel[] pair = sides.pair();
            Attempt<Boolean> sent = Attempt.start(() -> {
                send(pair[1], content);
                return true;
            });
            pair[0].configureBlocking(blocking);

            Sides.fill(mapped, pair[0]);

            assertThat(sent.result()).isTrue();
            assertThat(Files.readAllBytes(path)).isEqualTo(content);
            sides.close();
            Files.write(path, new byte[0]);
        }
    }

    @Test
    void shouldScatterOverOnesAndOthers() throws Exception {
        byte[] content = new byte[10 + BYTES + 10];
        random.nextBytes(content);
        MappedByteBuffer mapped = map(MapMode.READ_WRITE, BYTES);
        ByteBuffer[] targets = {
            ByteBuffer.allocate(10), mapped.slice(0, PAGE), mapped.slice(PAGE, BYTES - PAGE), ByteBuffer.allocate(10)
        };
        SocketChannel[] pair = sides.pair();
        Attempt<Boolean> sent = Attempt.start(() -> {
            send(pair[1], content);
            return true;
        });

        while (targets[3].hasRemaining() && pair[0].read(targets) >= 0) {
            // until all are full
        }

        assertThat(sent.result()).isTrue();
        assertThat(joined(targets[0].array(), Files.readAllBytes(path), targets[3].array()))
                .isEqualTo(content);
    }

    @Test
    void shouldLiveOnBehindAFileThatWasCutShort() throws Exception {
        Transcript.expectEitherEndLikeTheJdk("file cut short", sides, (t, near, far) -> {
            fill();
            MappedByteBuffer mapped = map(MapMode.READ_WRITE, BYTES);
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
                file.truncate(0);
            }
            t.call("write", () -> near.write(mapped));
            t.call("gather", () -> near.write(new ByteBuffer[] {mapped.slice(PAGE, 1), mapped}));
            far.write(Sides.bytes("abc"));
            Sides.settle();
            t.call("read", () -> near.read(mapped));
            t.call("scatter", () -> near.read(new ByteBuffer[] {mapped, mapped.slice(PAGE, 1)}));
            t.note(mapped.position());
            t.note(new String(receive(near, 3), java.nio.charset.StandardCharsets.UTF_8));
            near.write(Sides.bytes("def"));
            t.note(new String(receive(far, 3), java.nio.charset.StandardCharsets.UTF_8));
        });
    }
}
