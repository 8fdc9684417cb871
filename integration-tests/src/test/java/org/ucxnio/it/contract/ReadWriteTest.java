package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Peer;

/** Results of reads and writes with every kind of buffer. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#all")
class ReadWriteTest {
    private static final int LENGTH = 1000;

    @Parameter
    private Setting setting;

    private Connection connection;
    private SocketChannel channel;

    @BeforeEach
    void connect() throws IOException {
        connection = Connection.open(setting);
        channel = connection.channel();
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
    }

    /** Buffers of one length, none of them starting where its memory starts. */
    private static Stream<ByteBuffer> buffers(int length) {
        return Stream.of(
                ByteBuffer.allocate(length + 20).position(7).limit(7 + length),
                ByteBuffer.allocateDirect(length + 20).position(7).limit(7 + length),
                ByteBuffer.allocate(length + 20).slice(9, length),
                ByteBuffer.allocateDirect(length + 20).slice(9, length),
                ByteBuffer.allocate(length + 20).slice(5, length + 5).position(5));
    }

    private ByteBuffer filled(ByteBuffer buffer) {
        int start = buffer.position();
        connection.outgoing().fill(buffer);
        return buffer.position(start);
    }

    @Test
    void shouldWriteFromEveryKindOfBuffer() throws IOException {
        long total = 0;
        for (ByteBuffer buffer : buffers(LENGTH).toList()) {
            filled(buffer);
            int limit = buffer.limit();
            assertThat(channel.write(buffer)).isEqualTo(LENGTH);
            assertThat(buffer.position()).isEqualTo(limit);
            assertThat(buffer.limit()).isEqualTo(limit);
            total += LENGTH;
        }
        for (ByteBuffer buffer : buffers(LENGTH).toList()) {
            ByteBuffer readOnly = filled(buffer).asReadOnlyBuffer();
            assertThat(channel.write(readOnly)).isEqualTo(LENGTH);
            assertThat(readOnly.hasRemaining()).isFalse();
            assertThat(buffer.remaining()).isEqualTo(LENGTH);
            total += LENGTH;
        }
        connection.peer("read " + total);
    }

    @Test
    void shouldReadIntoEveryKindOfBuffer() throws IOException {
        for (ByteBuffer buffer : buffers(LENGTH).toList()) {
            CompletableFuture<String> written = connection.peerStarts("write " + LENGTH);
            ByteBuffer before = buffer.duplicate();
            assertThat(connection.io().readFully(buffer)).isEqualTo(LENGTH);
            assertThat(buffer.hasRemaining()).isFalse();
            connection.incoming().verify(before);
            Peer.await(written);
        }
    }

    @Test
    void shouldMoveTheBufferByWhatWasRead() throws IOException {
        connection.peer("write 10");
        ByteBuffer buffer = ByteBuffer.allocate(100).position(3);
        int count = connection.io().readSome(buffer);
        assertThat(count).isBetween(1, 10);
        assertThat(buffer.position()).isEqualTo(3 + count);
        assertThat(buffer.limit()).isEqualTo(100);
    }

    @Test
    void shouldLeaveWhatDoesNotFitForTheNextRead() throws IOException {
        connection.peer("write 100");
        for (int i = 0; i < 100; i++) {
            ByteBuffer one = ByteBuffer.allocateDirect(1);
            assertThat(connection.io().readSome(one)).isEqualTo(1);
            connection.incoming().verify(one.flip());
        }
    }

    @Test
    void shouldReturnZeroForEmptyBuffers() throws IOException {
        ByteBuffer empty = ByteBuffer.allocateDirect(0);
        ByteBuffer full = ByteBuffer.allocate(4).position(4);
        assertThat(channel.write(empty)).isZero();
        assertThat(channel.write(full)).isZero();
        assertThat(channel.write(new ByteBuffer[0])).isZero();
        assertThat(channel.write(new ByteBuffer[] {empty, full})).isZero();
        assertThat(channel.read(empty)).isZero();
        assertThat(channel.read(full)).isZero();
        assertThat(channel.read(new ByteBuffer[0])).isZero();
        assertThat(channel.read(new ByteBuffer[] {empty, full})).isZero();
        connection.ping();
        connection.peer("close");
        assertThat(connection.readToEnd()).isZero();
        assertThat(channel.read(empty)).isIn(0, -1);
    }

    @Test
    void shouldRefuseBuffersItCannotUse() throws IOException {
        ByteBuffer readOnly = ByteBuffer.allocate(4).asReadOnlyBuffer();
        ByteBuffer fine = ByteBuffer.allocate(4);
        assertThatThrownBy(() -> channel.read(readOnly)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> channel.read(new ByteBuffer[] {fine, readOnly}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> channel.read((ByteBuffer) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> channel.write((ByteBuffer) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> channel.write((ByteBuffer[]) null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> channel.write(new ByteBuffer[] {fine, null})).isInstanceOf(NullPointerException.class);
        ByteBuffer[] two = {fine, fine};
        assertThatThrownBy(() -> channel.write(two, 1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> channel.write(two, -1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> channel.read(two, 0, 3)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> channel.read(two, 2, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        connection.ping();
    }

    @Test
    void shouldGatherFromTheWantedBuffers() throws IOException {
        List<ByteBuffer> buffers = new ArrayList<>();
        buffers.add(ByteBuffer.wrap(new byte[50]));
        int expected = 0;
        for (ByteBuffer buffer : buffers(70).toList()) {
            buffers.add(filled(buffer));
            buffers.add(ByteBuffer.allocate(0));
            expected += 70;
        }
        buffers.add(ByteBuffer.wrap(new byte[50]));
        ByteBuffer[] array = buffers.toArray(ByteBuffer[]::new);
        assertThat(channel.write(array, 1, array.length - 2)).isEqualTo(expected);
        assertThat(array[0].remaining()).isEqualTo(50);
        assertThat(array[array.length - 1].remaining()).isEqualTo(50);
        connection.peer("read " + expected);
    }

    @Test
    void shouldGatherFromManyBuffers() throws IOException {
        // More than the kernel takes in one call.
        ByteBuffer[] many = new ByteBuffer[2500];
        for (int i = 0; i < many.length; i++) {
            many[i] = filled(i % 2 == 0 ? ByteBuffer.allocate(3) : ByteBuffer.allocateDirect(2));
        }
        CompletableFuture<String> received = connection.peerStarts("read 6250");
        connection.io().writeFully(many);
        Peer.await(received);
    }

    @Test
    void shouldGatherTheSameBufferTwice() throws IOException {
        ByteBuffer first = filled(ByteBuffer.allocate(1));
        byte value = first.get(0);
        assertThat(channel.write(first)).isEqualTo(1);
        ByteBuffer twice = ByteBuffer.allocate(0);
        assertThat(channel.write(new ByteBuffer[] {twice, twice})).isZero();
        assertThat(value).isEqualTo(first.get(0));
        connection.peer("read 1");
    }

    @Test
    void shouldScatterIntoTheWantedBuffers() throws IOException {
        connection.peer("write 300");
        ByteBuffer untouched = ByteBuffer.allocate(100);
        ByteBuffer head = ByteBuffer.allocate(10);
        ByteBuffer body = ByteBuffer.allocateDirect(290);
        ByteBuffer[] array = {untouched, head, ByteBuffer.allocate(0), body, untouched};
        long total = 0;
        while (total < 300) {
            long count = channel.read(array, 1, 3);
            assertThat(count).isBetween(0L, 300 - total);
            assertThat(setting.mode() == Mode.SELECTOR || count > 0).isTrue();
            total += count;
            assertThat(body.position() == 0 || !head.hasRemaining()).isTrue();
        }
        assertThat(untouched.position()).isZero();
        connection.incoming().verify(head.flip());
        connection.incoming().verify(body.flip());
    }

    @Test
    void shouldCarryBothDirectionsAtOnce() throws Exception {
        long count = 3L << 20;
        CompletableFuture<String> received = connection.peerStarts("read " + count);
        CompletableFuture<String> written = connection.peerStarts("write " + count);
        Attempt<Boolean> reader = Attempt.start(() -> {
            connection.read(count);
            return true;
        });
        connection.write(count);
        assertThat(reader.result()).isTrue();
        Peer.await(received);
        Peer.await(written);
        connection.ping();
    }

    @Test
    void shouldWriteLargeBuffersAtOnceOrInParts() throws IOException {
        int length = 8 << 20;
        ByteBuffer large = filled(ByteBuffer.allocateDirect(length));
        CompletableFuture<String> received = connection.peerStarts("read " + length);
        int first = channel.write(large);
        assertThat(first).isEqualTo(large.position());
        assertThat(setting.mode() == Mode.SELECTOR || first == length).isTrue();
        connection.io().writeFully(large);
        Peer.await(received);
        ByteBuffer onHeap = filled(ByteBuffer.allocate(length));
        received = connection.peerStarts("read " + length);
        connection.io().writeFully(onHeap);
        Peer.await(received);
    }

    @Test
    void shouldDeliverWithoutAnotherCall() throws IOException {
        int length = 1 << 20;
        CompletableFuture<String> received = connection.peerStarts("read " + length);
        connection.io().writeFully(filled(ByteBuffer.allocateDirect(length)));
        Peer.await(received);
    }

    @Test
    void shouldReadNothingWhenNothingCame() throws IOException {
        if (setting.mode() == Mode.SELECTOR) {
            assertThat(channel.read(ByteBuffer.allocate(10))).isZero();
            assertThat(channel.read(new ByteBuffer[] {ByteBuffer.allocate(10)})).isZero();
        }
        connection.ping();
    }
}
