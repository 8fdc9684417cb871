package org.ucxnio.bench.micro;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamCheckTest {
    private static final int MESSAGES = 50;

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 15, 16, 24, 100, 4096})
    void shouldAcceptAnyDivisionOfTheRightBytes(int size) {
        ByteBuffer stream = stream(size);
        Random random = new Random(size);

        for (int run = 0; run < 100; run++) {
            assertThatCode(() -> feed(stream, size, random)).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 15, 16, 24, 100, 4096})
    void shouldFindAnyWrongByteInAPieceThatItLooksThrough(int size) {
        ByteBuffer stream = stream(size);
        Random random = new Random(size);

        for (int run = 0; run < 100; run++) {
            int position = random.nextInt(stream.capacity());
            byte right = stream.get(position);
            stream.put(position, (byte) (right ^ 0x40));
            assertThatThrownBy(() -> new StreamCheck(size).accept(stream, 0, stream.capacity()))
                    .isInstanceOf(IllegalStateException.class);
            stream.put(position, right);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5, 15, 16, 24, 100, 4096})
    void shouldNoticeAMissingMessage(int size) {
        ByteBuffer stream = stream(size);
        StreamCheck check = new StreamCheck(size);
        check.accept(stream.slice(0, size), 0, size);

        assertThatThrownBy(() -> check.accept(stream.slice(2 * size, size), size, size))
                .isInstanceOf(IllegalStateException.class);
    }

    private static void feed(ByteBuffer stream, int size, Random random) {
        StreamCheck check = new StreamCheck(size);
        int offset = 0;
        while (offset < stream.capacity()) {
            int count = Math.min(stream.capacity() - offset, 1 + random.nextInt(3 * size));
            check.accept(stream.slice(offset, count), offset, count);
            offset += count;
        }
    }

    private static ByteBuffer stream(int size) {
        ByteBuffer message = ByteBuffer.allocate(size);
        Message.fill(message);
        ByteBuffer stream = ByteBuffer.allocate(size * MESSAGES);
        for (int i = 0; i < MESSAGES; i++) {
            Message.stamp(message, size, i);
            stream.put(message.clear());
        }
        return stream;
    }
}
