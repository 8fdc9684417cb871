package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Peer;

/** A connection that is closed without lingering: what had been written is there to be read, and then comes the reset. */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Setting#all")
class ResetTest {
    /** Fits the buffers of a kernel socket. */
    private static final int LENGTH = 20_000;

    @Parameter
    private Setting setting;

    private Connection connection;

    @BeforeEach
    void connect() throws IOException {
        connection = Connection.open(setting);
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
    }

    @Test
    void shouldLetThePeerReadWhatWasWrittenBefore() throws IOException {
        connection.write(LENGTH);
        connection.channel().setOption(StandardSocketOptions.SO_LINGER, 0);
        connection.io().close();
        connection.peer("read " + LENGTH);
        assertThatThrownBy(() -> connection.peer("read 1"))
                .isInstanceOf(Peer.PeerFailure.class)
                .hasMessageContaining("Connection reset");
    }

    @Test
    void shouldReadWhatThePeerHadWritten() throws IOException {
        connection.peer("write " + LENGTH);
        connection.peer("reset");
        connection.read(LENGTH);
        assertThatThrownBy(() -> connection.read(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Connection reset");
    }

    @Test
    void shouldReadTheAnswerOfAPeerThatResetsBehindIt() throws IOException {
        connection.write(LENGTH);
        connection.peer("read " + LENGTH);
        connection.peer("write " + LENGTH);
        connection.peer("reset");
        connection.read(LENGTH);
        assertThatThrownBy(() -> connection.read(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Connection reset");
    }
}
