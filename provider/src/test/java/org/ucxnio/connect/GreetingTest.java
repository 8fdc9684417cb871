package org.ucxnio.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GreetingTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 80, 32_767, 32_768, 55_535, 65_535})
    void shouldTakeItsOwnGreeting(int port) {
        ByteBuffer greeting = Greeting.encode(port);

        assertThat(greeting.remaining()).isEqualTo(Greeting.LENGTH);
        assertThatCode(() -> Greeting.check(greeting, port)).doesNotThrowAnyException();
        assertThat(greeting.hasRemaining()).isFalse();
    }

    @Test
    void shouldHaveTheDocumentedLayout() {
        ByteBuffer greeting = Greeting.encode(0x1234);

        assertThat(greeting.array())
                .containsExactly('U', 'C', 'X', 'N', 'I', 'O', '\r', '\n', 0, Hello.VERSION, 0x12, 0x34, 0, 0, 0, 0);
    }

    @Test
    void shouldRefuseAGreetingWithAnyBitChanged() {
        for (int bit = 0; bit < Greeting.LENGTH * 8; bit++) {
            ByteBuffer greeting = Greeting.encode(8080);
            greeting.put(bit / 8, (byte) (greeting.get(bit / 8) ^ 1 << bit % 8));
            assertThatThrownBy(() -> Greeting.check(greeting, 8080))
                    .as("bit %d", bit)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void shouldTakeNoGreetingThatIsCutShort() {
        for (int length = 0; length < Greeting.LENGTH; length++) {
            ByteBuffer greeting = Greeting.encode(8080).limit(length);
            assertThatThrownBy(() -> Greeting.check(greeting, 8080))
                    .as("length %d", length)
                    .isInstanceOfAny(IOException.class, BufferUnderflowException.class);
        }
    }

    @Test
    void shouldSayWhatIsWrong() {
        assertThatThrownBy(() -> Greeting.check(ByteBuffer.wrap("SSH-2.0-OpenSSH_9.6\r\n".getBytes()), 22))
                .hasMessage("the companion port belongs to another program");
        assertThatThrownBy(() -> Greeting.check(Greeting.encode(81), 80))
                .hasMessage("the companion stands for port 81, not 80");
        assertThatThrownBy(() -> Greeting.check(Greeting.encode(80).putShort(8, (short) 0xfffe), 80))
                .hasMessage("protocol version 65534 where " + Hello.VERSION + " is spoken");
    }
}
