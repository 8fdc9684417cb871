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
import org.ucxnio.session.FakeMovable;
import org.ucxnio.session.Movable;
import org.ucxnio.session.QuietHost;

class EarlyCallsTest {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    private final EarlyCalls calls = new EarlyCalls();
    private final RecordingHost host = new RecordingHost();

    private static Movable connection() {
        return new FakeMovable(ADDRESS, ADDRESS);
    }

    @Test
    void shouldRepeatEachCallOnce() {
        Movable connection = connection();
        calls.listening(ADDRESS);
        calls.listening(ADDRESS);
        calls.accepted(connection);
        calls.repeatTo(host);
        calls.repeatTo(host);
        assertThat(host.listening).containsExactly(ADDRESS, ADDRESS);
        assertThat(host.accepted).containsExactly(connection);
    }

    @Test
    void shouldForgetWhatWasClosedMeanwhile() throws IOException {
        Movable connection = connection();
        calls.accepted(connection);
        calls.closed(connection);
        calls.listening(ADDRESS).close();
        calls.repeatTo(host);
        assertThat(host.listening).isEmpty();
        assertThat(host.accepted).isEmpty();
    }

    @Test
    void shouldCloseWhatWasRepeated() throws IOException {
        Closeable name = calls.listening(ADDRESS);
        calls.repeatTo(host);
        assertThat(host.closed).isZero();
        name.close();
        assertThat(host.closed).isOne();
    }

    @Test
    void shouldGoOnWhereThereWasNoMemory() {
        calls.listening(ADDRESS);
        calls.accepted(connection());
        calls.accepted(connection());
        host.room = 1;
        assertThatThrownBy(() -> calls.repeatTo(host)).isInstanceOf(OutOfMemoryError.class);
        assertThat(host.accepted).hasSize(1);
        host.room = 1;
        // An error of that kind that comes as far as JUnit ends the whole run.
        assertThatCode(() -> calls.repeatTo(host)).doesNotThrowAnyException();
        assertThat(host.accepted).hasSize(2).doesNotHaveDuplicates();
        assertThat(host.listening).containsExactly(ADDRESS);
    }

    /** Has room for some accepted connections. */
    private static final class RecordingHost extends QuietHost {
        private final List<InetSocketAddress> listening = new ArrayList<>();
        private final List<Movable> accepted = new ArrayList<>();
        private int closed;
        private int room = Integer.MAX_VALUE;

        @Override
        public void request(Movable connection) {
            throw new AssertionError("nobody asks");
        }

        @Override
        public void accepted(Movable connection) {
            if (room-- == 0) {
                throw new OutOfMemoryError("as the test wants it");
            }
            accepted.add(connection);
        }

        @Override
        public void closed(Movable connection) {
            throw new AssertionError("nothing is closed here");
        }

        @Override
        public Closeable listening(InetSocketAddress bound) {
            listening.add(bound);
            return () -> closed++;
        }
    }
}
