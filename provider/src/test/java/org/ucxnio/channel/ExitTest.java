package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The process of a connection's other end is gone without having closed it: in order, which it has said before, or not. */
@Timeout(30)
class ExitTest {
    private static final int FEW = 100;

    /** The ring grows for them. */
    private static final int MANY = 200_000;

    private static ChannelPair linked() throws IOException {
        ChannelPair pair = new ChannelPair();
        pair.pair();
        pair.client.write(ByteBuffer.allocate(1));
        assertThat(pair.server.read(ByteBuffer.allocate(1))).isEqualTo(1);
        return pair;
    }

    /** As the kernel does at the end of a process, whose sessions end as well. */
    private static void die(ChannelPair pair) throws IOException {
        pair.client.kernel.channel().close();
        pair.end();
    }

    private static void expect(ChannelPair pair, int count) throws IOException {
        ByteBuffer target = ByteBuffer.allocate(count);
        while (target.hasRemaining()) {
            assertThat(pair.server.read(target)).isPositive();
        }
    }

    private static void expectEnd(ChannelPair pair) throws IOException {
        assertThat(pair.server.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        assertThat(pair.server.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndTheStreamBehindWhatWasWritten(boolean blocking) throws IOException {
        try (ChannelPair pair = linked()) {
            pair.server.configureBlocking(blocking);
            pair.client.write(ByteBuffer.allocate(FEW));
            pair.clientEnd.exits();
            die(pair);
            expect(pair, FEW);
            if (!blocking) {
                // Where no selector looks the socket is asked now and then.
                for (int i = 0; i < 10_000 && pair.server.read(ByteBuffer.allocate(1)) == 0; i++) {
                    Thread.onSpinWait();
                }
            }
            expectEnd(pair);
        }
    }

    @Test
    void shouldEndAStreamThatGoesOnMeanwhile() throws IOException {
        try (ChannelPair pair = linked()) {
            pair.clientEnd.exits();
            assertThat(pair.memory.anyExits()).isTrue();
            pair.client.configureBlocking(false);
            assertThat(pair.client.write(ByteBuffer.allocate(MANY))).isEqualTo(MANY);
            die(pair);
            expect(pair, MANY);
            expectEnd(pair);
        }
    }

    @Test
    void shouldResetOneOfAProcessThatHasNotSaidSo() throws IOException {
        try (ChannelPair pair = linked()) {
            pair.client.write(ByteBuffer.allocate(FEW));
            die(pair);
            expect(pair, FEW);
            assertThatThrownBy(() -> pair.server.read(ByteBuffer.allocate(1)))
                    .isInstanceOf(SocketException.class)
                    .hasMessage("Connection reset");
        }
    }

    @Test
    void shouldLeaveAloneWhatIsNotInARing() throws IOException {
        try (ChannelPair pair = new ChannelPair()) {
            pair.clientEnd.exits();
            pair.pair();
            pair.client.write(ByteBuffer.allocate(FEW));
            pair.client.close();
            pair.clientEnd.exits();
            assertThat(pair.memory.anyExits()).isFalse();
            expect(pair, FEW);
            expectEnd(pair);
        }
    }
}
