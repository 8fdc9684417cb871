package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A channel is closed with bytes unread that came over TCP, as its peer leaves TCP. The peer is told of a reset once, whoever asks first: its
 * writer, which has the link, or its reader, which has the socket still.
 */
class ResetAtTheSwitchTest extends JoinedRingsFixture {
    /** The server may be switched to, and has not heard that it may switch itself. */
    private void closeUnread(boolean switchedBefore, boolean clientHears) throws IOException {
        pair.client.write(ByteBuffer.allocate(6));
        assertThat(pair.serverEnd.hear(lanes[1])).isTrue();
        if (clientHears) {
            assertThat(pair.clientEnd.hear(lanes[0])).isTrue();
        }
        if (switchedBefore) {
            switchClient();
        }
        pair.server.close();
        if (!switchedBefore) {
            switchClient();
        }
    }

    private void switchClient() throws IOException {
        assertThat(pair.clientEnd.speak(lanes[0])).isTrue();
        assertThat(((KernelStream) pair.clientEnd).hasMoved()).isTrue();
    }

    @ParameterizedTest(name = "switched before: {0}, client hears: {1}")
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void shouldTellAWriterFirst(boolean switchedBefore, boolean clientHears) throws Exception {
        closeUnread(switchedBefore, clientHears);

        expectWriteToFail("Connection reset by peer");
        expectWriteToFail("Broken pipe");
        assertThat(pair.client.read(ByteBuffer.allocate(1))).isEqualTo(-1);
    }

    @ParameterizedTest(name = "switched before: {0}, client hears: {1}")
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void shouldTellAReaderFirst(boolean switchedBefore, boolean clientHears) throws Exception {
        closeUnread(switchedBefore, clientHears);

        expectReadToFail();
        expectWriteToFail("Broken pipe");
        expectReadToFail();
    }

    private void expectWriteToFail(String message) {
        assertThatThrownBy(() -> pair.client.write(ByteBuffer.allocate(1)))
                .isInstanceOf(IOException.class)
                .hasMessage(message);
    }

    private void expectReadToFail() {
        assertThatThrownBy(() -> pair.client.read(ByteBuffer.allocate(1)))
                .isInstanceOf(SocketException.class)
                .hasMessage("Connection reset");
    }
}
