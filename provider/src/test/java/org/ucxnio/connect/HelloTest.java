package org.ucxnio.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.transport.Peer;

class HelloTest {
    private static final int VERSION_OFFSET = 4;
    private static final int WINDOW_OFFSET = 52;
    private static final int MESSAGES_OFFSET = 56;

    private static final int PID_OFFSET = 60;
    private static final int PID = 4711;

    private static final UUID PROCESS = new UUID(0x0123_4567_89ab_cdefL, 0xfedc_ba98_7654_3210L);

    private static Hello hello(int window, int messages) {
        byte[] host = new byte[Hello.HOST_ID_LENGTH];
        for (int i = 0; i < host.length; i++) {
            host[i] = (byte) (100 + i);
        }
        return new Hello(Hello.FLAG_HOST_LINKS, PROCESS, host, 0x1122_3344_5566_7788L, 0x010d01, window, messages, PID);
    }

    private static ByteBuffer encoded(Hello hello) {
        ByteBuffer buffer = ByteBuffer.allocate(Hello.LENGTH);
        hello.encode(buffer);
        return buffer.flip();
    }

    @ParameterizedTest
    @CsvSource({"16384, 16", "262144, 1024", "67108864, 1048576"})
    void shouldComeOutAsItWentIn(int window, int messages) throws IOException {
        Hello sent = hello(window, messages);
        ByteBuffer buffer = encoded(sent);
        assertThat(buffer.remaining()).isEqualTo(Hello.LENGTH);

        Hello received = Hello.decode(buffer);

        assertThat(buffer.hasRemaining()).isFalse();
        assertThat(received.flags()).isEqualTo(sent.flags());
        assertThat(received.processId()).isEqualTo(sent.processId());
        assertThat(received.hostId()).isEqualTo(sent.hostId());
        assertThat(received.shmParameters()).isEqualTo(sent.shmParameters());
        assertThat(received.ucxVersion()).isEqualTo(sent.ucxVersion());
        assertThat(received.windowBytes()).isEqualTo(window);
        assertThat(received.windowMessages()).isEqualTo(messages);
        assertThat(received.pid()).isEqualTo(PID);
    }

    @Test
    void shouldReadEachFieldFromItsPlace() throws IOException {
        ByteBuffer buffer = encoded(hello(1 << 20, 100));
        buffer.putShort(6, (short) 0xffff);
        buffer.putLong(8, 1).putLong(16, 2);
        buffer.put(24, (byte) 77);
        buffer.putLong(40, 3).putInt(48, 4);
        buffer.putInt(WINDOW_OFFSET, 20_000).putInt(MESSAGES_OFFSET, 33).putInt(PID_OFFSET, 44);

        Hello hello = Hello.decode(buffer);

        assertThat(hello.flags()).isEqualTo(0xffff);
        assertThat(hello.processId()).isEqualTo(new UUID(1, 2));
        assertThat(hello.hostId()[0]).isEqualTo((byte) 77);
        assertThat(hello.shmParameters()).isEqualTo(3);
        assertThat(hello.ucxVersion()).isEqualTo(4);
        assertThat(hello.windowBytes()).isEqualTo(20_000);
        assertThat(hello.windowMessages()).isEqualTo(33);
        assertThat(hello.pid()).isEqualTo(44);
    }

    @Test
    void shouldRefuseAnyOtherMagicOrVersion() {
        for (int bit = 0; bit < 6 * 8; bit++) {
            ByteBuffer buffer = encoded(hello(1 << 20, 100));
            buffer.put(bit / 8, (byte) (buffer.get(bit / 8) ^ 1 << bit % 8));
            assertThatThrownBy(() -> Hello.decode(buffer)).as("bit %d", bit).isInstanceOf(IOException.class);
        }
        int newest = Hello.VERSION + 1;
        ByteBuffer newer = encoded(hello(1 << 20, 100)).putShort(VERSION_OFFSET, (short) newest);
        assertThatThrownBy(() -> Hello.decode(newer))
                .hasMessage("protocol version " + newest + " where " + Hello.VERSION + " is spoken");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 16_383, 67_108_865, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void shouldRefuseAWindowOutOfBounds(int window) {
        ByteBuffer buffer = encoded(hello(1 << 20, 100)).putInt(WINDOW_OFFSET, window);

        assertThatThrownBy(() -> Hello.decode(buffer))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("window");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 15, 1_048_577, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void shouldRefuseAWindowOfMessagesOutOfBounds(int messages) {
        ByteBuffer buffer = encoded(hello(1 << 20, 100)).putInt(MESSAGES_OFFSET, messages);

        assertThatThrownBy(() -> Hello.decode(buffer))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("window");
    }

    @Test
    void shouldTakeNoHelloThatIsCutShort() {
        for (int length = 0; length < Hello.LENGTH; length++) {
            ByteBuffer buffer = encoded(hello(1 << 20, 100)).limit(length);
            assertThatThrownBy(() -> Hello.decode(buffer))
                    .as("length %d", length)
                    .isInstanceOfAny(IOException.class, BufferUnderflowException.class);
        }
    }

    @Test
    void shouldTellHostsApartByEveryByte() throws IOException {
        Hello own = hello(1 << 20, 100);
        assertThat(own.sameHostAs(Hello.decode(encoded(own)))).isTrue();
        for (int i = 0; i < Hello.HOST_ID_LENGTH; i++) {
            ByteBuffer buffer = encoded(own);
            buffer.put(24 + i, (byte) 0);
            assertThat(own.sameHostAs(Hello.decode(buffer))).as("byte %d", i).isFalse();
        }
    }

    @Test
    void shouldTellFlags() {
        assertThat(hello(1 << 20, 100).has(Hello.FLAG_HOST_LINKS)).isTrue();
        assertThat(hello(1 << 20, 100).has(Hello.FLAG_NETWORK_LINKS)).isFalse();
    }

    @Test
    void shouldDescribeThePeerForTheTransport() {
        assertThat(Handshakes.peer(hello(20_000, 33), true)).isEqualTo(new Peer(PROCESS, true, 20_000, 33));
        assertThat(Handshakes.peer(hello(20_000, 33), false).sameHost()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "1.13.1, 0x010d01",
        "1.14.0, 0x010e00",
        "1.20, 0x011400",
        "1, 0x010000",
        "1.16.0-rc4, 0x011000",
        "1.22.0+git, 0x011600",
        "1.999.0, 0x01ff00",
        "'', 0",
        "unknown, 0"
    })
    void shouldReadVersions(String version, int number) {
        assertThat(Handshakes.versionNumber(version)).isEqualTo(number);
    }

    @Test
    void shouldIdentifyThisHostTheSameWayEachTime() throws IOException {
        assertThat(HostIdentity.ofThisProcess())
                .hasSize(Hello.HOST_ID_LENGTH)
                .isEqualTo(HostIdentity.ofThisProcess())
                .isNotEqualTo(new byte[Hello.HOST_ID_LENGTH]);
    }
}
