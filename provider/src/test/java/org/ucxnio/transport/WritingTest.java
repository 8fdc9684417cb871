package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.config.Config;

/** Small writes without the channel's lock for writers: all or nothing. */
@Timeout(60)
class WritingTest {
    private static final int WINDOW = 16 << 10;

    private final ReentrantLock writers = new ReentrantLock();
    private TwoSides sides;

    @BeforeEach
    void open() throws IOException {
        sides = TwoSides.open(Processes.fresh(Config.RING, "64k", Config.WINDOW, Integer.toString(WINDOW)))
                .frozen();
        sides.settle();
    }

    @AfterEach
    void close() {
        sides.close();
    }

    private static ByteBuffer bytes(int from, int count) {
        return ByteBuffer.wrap(Pattern.bytes(from, count));
    }

    private void expectNothing(int count) {
        ByteBuffer source = bytes(0, count);
        assertThat(sides.left.connection.writeAtOnce(source, writers)).isZero();
        assertThat(source.position()).isZero();
        sides.settle();
    }

    private byte[] arrived() throws IOException {
        return Pattern.read(sides.right.connection, WINDOW);
    }

    @Test
    void shouldWriteAllOfABuffer() throws IOException {
        ByteBuffer source = bytes(0, 1000);
        assertThat(sides.left.connection.writeAtOnce(source, writers)).isEqualTo(1000);
        assertThat(source.hasRemaining()).isFalse();
        sides.settle();
        assertThat(arrived()).isEqualTo(Pattern.bytes(0, 1000));
    }

    @Test
    void shouldWriteNothingWhileAnotherWriterIsAtIt() throws Exception {
        Thread other = new Thread(writers::lock);
        other.start();
        other.join();
        expectNothing(100);
        assertThat(arrived()).isEmpty();
    }

    @Test
    void shouldWriteNothingThatTheWindowHasNoRoomFor() throws IOException {
        assertThat(Pattern.write(sides.left.connection, 0, WINDOW - 50)).isEqualTo(WINDOW - 50);
        expectNothing(51);
        assertThat(sides.left.connection.writeAtOnce(bytes(WINDOW - 50, 50), writers))
                .isEqualTo(50);
        sides.settle();
        assertThat(arrived()).isEqualTo(Pattern.bytes(0, WINDOW));
    }

    @Test
    void shouldWriteNothingBehindTheEndOfTheStream() throws IOException {
        sides.left.connection.shutdownOutput();
        expectNothing(100);
    }

    @Test
    void shouldLeaveToTheLongWayWhatNoRingCarries() throws IOException {
        try (TwoSides other = sides.another()) {
            other.left.bind();
            ByteBuffer source = bytes(0, 100);
            assertThat(other.left.connection.writeAtOnce(source, writers)).isZero();
            assertThat(source.position()).isZero();
        }
    }
}
