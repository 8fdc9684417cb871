package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;

/** Buffers in memory of arenas, which Java has from 22 on. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#all")
class ArenaTest {
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

    private ByteBuffer filled(ByteBuffer buffer) {
        connection.outgoing().fill(buffer);
        return buffer.flip();
    }

    @Test
    void shouldWriteFromAndReadInto() throws IOException {
        ByteBuffer buffer = Arena.ofAuto().allocate(LENGTH).asByteBuffer();

        assertThat(channel.write(filled(buffer))).isEqualTo(LENGTH);
        connection.peer("read " + LENGTH);
        connection.peer("write " + LENGTH);
        buffer.clear();
        assertThat(connection.io().readFully(buffer)).isEqualTo(LENGTH);

        connection.incoming().verify(buffer.flip());
    }

    @Test
    void shouldRefuseMemoryThatWasFreed() throws IOException {
        ByteBuffer freed;
        try (Arena arena = Arena.ofConfined()) {
            freed = arena.allocate(LENGTH).asByteBuffer();
            assertThat(channel.write(filled(freed))).isEqualTo(LENGTH);
            freed.rewind();
        }
        assertThatThrownBy(() -> channel.write(freed)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> channel.read(freed)).isInstanceOf(IllegalStateException.class);
        connection.peer("read " + LENGTH);
        connection.ping();
    }
}
