package org.ucxnio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.ucxnio.session.Movable;
import org.ucxnio.session.Pace;
import org.ucxnio.session.QuietHost;

class EarlyListenersTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final InetSocketAddress OTHER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);

    private final EarlyListeners early = new EarlyListeners();
    private final RecordingHost host = new RecordingHost();

    @Test
    void shouldNameEachOnce() {
        early.listening(ADDRESS);
        early.listening(ADDRESS);
        early.repeatTo(host);
        early.repeatTo(host);
        assertThat(host.listening).containsExactly(ADDRESS, ADDRESS);
    }

    @Test
    void shouldForgetWhatWasClosedMeanwhile() throws IOException {
        early.listening(ADDRESS).close();
        early.repeatTo(host);
        assertThat(host.listening).isEmpty();
    }

    @Test
    void shouldCloseWhatWasNamed() throws IOException {
        Closeable name = early.listening(ADDRESS);
        early.repeatTo(host);
        assertThat(host.closed).isZero();
        name.close();
        assertThat(host.closed).isOne();
    }

    @Test
    void shouldGoOnWhereThereWasNoMemory() {
        early.listening(ADDRESS);
        early.listening(OTHER);
        host.room = 1;
        assertThatThrownBy(() -> early.repeatTo(host)).isInstanceOf(OutOfMemoryError.class);
        assertThat(host.listening).containsExactly(ADDRESS);
        host.room = 1;
        // An error of that kind that comes as far as JUnit ends the whole run.
        assertThatCode(() -> early.repeatTo(host)).doesNotThrowAnyException();
        assertThat(host.listening).containsExactly(ADDRESS, OTHER);
    }

    /** Has room for some listeners. */
    private static final class RecordingHost extends QuietHost {
        private final List<InetSocketAddress> listening = new ArrayList<>();
        private int closed;
        private int room = Integer.MAX_VALUE;

        @Override
        public void request(Movable connection, Pace pace) {
            throw new AssertionError("nobody asks");
        }

        @Override
        public void accepted(Movable connection) {
            throw new AssertionError("nothing is accepted here");
        }

        @Override
        public void closed(Movable connection) {
            throw new AssertionError("nothing is closed here");
        }

        @Override
        public Closeable listening(InetSocketAddress bound) {
            if (room-- == 0) {
                throw new OutOfMemoryError("as the test wants it");
            }
            listening.add(bound);
            return () -> closed++;
        }
    }
}
