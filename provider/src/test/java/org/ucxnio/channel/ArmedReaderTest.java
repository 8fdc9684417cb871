package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.jdk.Descriptors;
import org.ucxnio.link.Bell;

/** How a peer wakes selectors that have armed a channel. */
@Timeout(30)
class ArmedReaderTest {
    private static final long NAME = 0x0102_0304_0506_0708L;

    private ChannelPair pair;
    private Pipe pipe;
    private Bell bell;
    private Selector one;
    private Selector other;

    @BeforeEach
    void open() throws Exception {
        pair = new ChannelPair();
        pair.server.configureBlocking(false);
        pair.pair();
        exchange();
        pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        bell = Bell.of(Descriptors.of(pipe.sink())).named(NAME);
        one = pair.openSelector();
        other = pair.openSelector();
    }

    @AfterEach
    void close() throws IOException {
        one.close();
        other.close();
        pair.close();
        pipe.sink().close();
        pipe.source().close();
    }

    /** Both ends are in rings, and the tokens of the switches taken in. */
    private void exchange() throws IOException {
        for (int i = 0; i < 2; i++) {
            pair.client.write(ByteBuffer.allocate(1));
            while (pair.server.read(ByteBuffer.allocate(1)) == 0) {
                Thread.onSpinWait();
            }
            pair.server.write(ByteBuffer.allocate(1));
            assertThat(pair.client.read(ByteBuffer.allocate(1))).isEqualTo(1);
        }
        assertThat(((SocketChannel) pair.server.kernelChannel()).read(ByteBuffer.allocate(16)))
                .isLessThanOrEqualTo(1);
    }

    private void expectWoken(int byBell, int byToken) throws IOException {
        assertThat(pair.server.arm(SelectionKey.OP_READ, bell)).isTrue();
        pair.client.write(ByteBuffer.allocate(1));
        ByteBuffer rung = ByteBuffer.allocate(16);
        assertThat(pipe.source().read(rung)).isEqualTo(byBell);
        assertThat(rung.getLong(0)).isEqualTo(byBell == 0 ? 0 : NAME);
        assertThat(((SocketChannel) pair.server.kernelChannel()).read(ByteBuffer.allocate(16)))
                .isEqualTo(byToken);
    }

    @Test
    void shouldRingTheBellOfTheOnlySelector() throws IOException {
        pair.server.register(one, SelectionKey.OP_READ);
        expectWoken(Bell.BYTES, 0);
    }

    /** The larger one has to be told of the bell anew. */
    @Test
    void shouldRingTheBellOfALargerRing() throws IOException {
        pair.server.register(one, SelectionKey.OP_READ);
        expectWoken(Bell.BYTES, 0);
        ByteBuffer read = ByteBuffer.allocate(1 << 20);
        int before = pair.memory.made();
        int written = pair.client.write(ByteBuffer.allocate(100_000));
        assertThat(pair.memory.made()).isGreaterThan(before);
        while (read.position() < written + 1) {
            pair.server.read(read);
        }
        expectWoken(Bell.BYTES, 0);
    }

    /** One of them alone would hear its bell. */
    @Test
    void shouldSendATokenWhereThereAreSeveralSelectors() throws IOException {
        pair.server.register(one, SelectionKey.OP_READ);
        pair.server.register(other, SelectionKey.OP_READ);
        expectWoken(0, 1);
    }
}
