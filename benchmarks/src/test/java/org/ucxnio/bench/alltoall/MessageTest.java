package org.ucxnio.bench.alltoall;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class MessageTest {
    private static final int SIZE = 64;

    private final ByteBuffer buffer = ByteBuffer.allocate(SIZE);

    @Test
    void shouldTakeTheMessageThatWasSent() {
        Message.fill(buffer, 3, 7);

        assertThatCode(() -> Message.check(buffer, 0, SIZE, 3, 7)).doesNotThrowAnyException();
    }

    @Test
    void shouldFindEachByteThatIsWrong() {
        Message.fill(buffer, 3, 7);
        for (int i = 0; i < SIZE; i++) {
            buffer.put(i, (byte) (buffer.get(i) ^ 1));
            assertThatThrownBy(() -> Message.check(buffer, 0, SIZE, 3, 7))
                    .as("byte %d", i)
                    .isInstanceOf(IOException.class);
            buffer.put(i, (byte) (buffer.get(i) ^ 1));
        }
    }

    @Test
    void shouldFindAMessageThatIsLostOrAnotherProcess() {
        Message.fill(buffer, 3, 8);

        assertThatThrownBy(() -> Message.check(buffer, 0, SIZE, 3, 7)).hasMessageContaining("its number is 8");
        assertThatThrownBy(() -> Message.check(buffer, 0, SIZE, 4, 8)).isInstanceOf(IOException.class);
    }
}
