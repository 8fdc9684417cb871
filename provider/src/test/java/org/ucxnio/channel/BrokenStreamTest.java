package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BrokenStreamTest {
    private final BrokenStream broken = new BrokenStream();
    private final SocketException reset = new SocketException("Connection reset");
    private final SocketException closed = new SocketException("Broken pipe");
    private final ByteBuffer[] sources = {ByteBuffer.allocate(3), ByteBuffer.allocate(4)};

    @Test
    void shouldTellTheReaderAgainAndAgainAndTheWriterOfABrokenPipe() {
        assertThatThrownBy(() -> broken.onRead(reset)).isSameAs(reset);
        assertThatThrownBy(() -> broken.onRead(reset)).isSameAs(reset);
        assertThatThrownBy(() -> broken.onWrite(reset, sources, 0, 2))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("Broken pipe");
    }

    @Test
    void shouldTellTheWriterOnceAndTheReaderOfTheEnd() throws IOException {
        assertThatThrownBy(() -> broken.onWrite(reset, sources, 0, 2))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("Connection reset by peer");
        assertThatThrownBy(() -> broken.onWrite(reset, sources, 0, 2)).hasMessage("Broken pipe");
        assertThat(broken.onRead(reset)).isEqualTo(-1);
        assertThat(sources[0].position()).isZero();
    }

    @Test
    void shouldTakeOneWriteToAPeerThatClosedInOrder() throws IOException {
        assertThat(broken.onWrite(closed, sources, 0, 2)).isEqualTo(7);
        assertThat(sources[1].hasRemaining()).isFalse();
        assertThatThrownBy(() -> broken.onWrite(closed, sources, 0, 2)).hasMessage("Broken pipe");
    }

    @Test
    void shouldTellAWriterThatWaitedForThePeerOfAReset() {
        broken.leftUnread();
        assertThatThrownBy(() -> broken.onWrite(closed, sources, 0, 2)).hasMessage("Connection reset by peer");
        assertThat(sources[0].position()).isZero();
        assertThatThrownBy(() -> broken.onWrite(closed, sources, 0, 2)).hasMessage("Broken pipe");
    }
}
