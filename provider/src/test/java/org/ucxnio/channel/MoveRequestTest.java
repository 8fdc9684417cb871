package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.ucxnio.config.Config;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.session.Movable;
import org.ucxnio.session.Pace;
import org.ucxnio.session.QuietHost;

class MoveRequestTest {
    private static final int CALLS = 200;

    private final List<Long> bytesOfCalls = new ArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();
    private final List<Pace> paces = new ArrayList<>();
    private final List<Boolean> rests = new ArrayList<>();

    private int switchAfter = Config.AUTO;
    private long nanos;
    private int looksAtClock;

    /** What goes by before a message of the client, and before the answer. */
    private long restNanos;

    private long answerNanos;

    /** From then on nothing goes by before messages. */
    private int restsUntil = CALLS;

    /** What goes by before the second half of a message; negative where they have none. */
    private long halfNanos = -1;

    private final List<Boolean> sleepers = new CopyOnWriteArrayList<>();

    /** Says what it was asked, and yes from the third time on. */
    private final class AskedPolicy extends MovePolicy {
        AskedPolicy(SpinGovernor governor) {
            super(switchAfter, true, governor);
        }

        @Override
        boolean isDue(int used, boolean resting) {
            if (used % ASK_USES == 0) {
                rests.add(resting);
            }
            return super.isDue(used, resting);
        }

        @Override
        long nanos() {
            looksAtClock++;
            return nanos;
        }

        @Override
        String refusal(Waiter waiter, long bytesOfCall) {
            bytesOfCalls.add(bytesOfCall);
            return bytesOfCalls.size() < 3 ? "not yet" : null;
        }

        @Override
        Pace pace() {
            return Pace.SLOWLY;
        }
    }

    private final class CountingHost extends QuietHost {
        @Override
        public void request(Movable connection, Pace pace) {
            requests.incrementAndGet();
            paces.add(pace);
            sleepers.add(connection.hasSleepers());
        }
    }

    private ChannelServices services() {
        SelectorProvider platform = SelectorProvider.provider();
        SpinGovernor governor = new SpinGovernor(Config.from(name -> null));
        return new ChannelServices(
                platform,
                platform,
                new PlainConnections(),
                new CountingHost(),
                new AskedPolicy(governor),
                governor,
                "young");
    }

    /** Each call of the client's moves so many bytes, a write and a read by turns. */
    private void use(int bytes) throws IOException {
        use(bytes, true);
    }

    private void use(int bytes, boolean blocking) throws IOException {
        ChannelServices services = services();
        try (ServerSocketChannel listener = new UcxServerSocketChannel(services, null);
                SocketChannel client = new UcxSocketChannel(services, StandardProtocolFamily.INET)) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            client.connect(listener.getLocalAddress());
            client.configureBlocking(blocking);
            try (SocketChannel server = listener.accept()) {
                for (int call = 0; call < CALLS; call += 2) {
                    nanos += call < restsUntil ? restNanos : 0;
                    pass(client, server, bytes);
                    if (halfNanos >= 0) {
                        nanos += halfNanos;
                        pass(client, server, bytes);
                    }
                    nanos += answerNanos;
                    pass(server, client, bytes);
                }
            }
        }
    }

    private static void pass(SocketChannel from, SocketChannel to, int bytes) throws IOException {
        from.write(ByteBuffer.allocate(bytes));
        ByteBuffer target = ByteBuffer.allocate(bytes);
        while (target.hasRemaining()) {
            to.read(target);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 4096})
    void shouldAskWithWhatACallHasCarriedUntilItMayMove(int bytes) throws IOException {
        use(bytes);

        assertThat(bytesOfCalls)
                .hasSize(3)
                .allSatisfy(asked -> assertThat(asked).isBetween(bytes / 2L, (long) bytes));
        assertThat(requests).hasValue(1);
    }

    @Test
    void shouldSayAtWhatPace() throws IOException {
        use(1);

        assertThat(paces).containsExactly(Pace.SLOWLY);
    }

    @Test
    void shouldSayWhetherThreadsSleepForBytes() throws Exception {
        use(1);
        use(1, false);
        Thread virtual =
                Thread.startVirtualThread(() -> assertThatCode(() -> use(1)).doesNotThrowAnyException());
        virtual.join();

        assertThat(sleepers).containsExactly(true, false, false);
    }

    @ParameterizedTest
    @CsvSource({"200, 100, false", "201, 100, true", "0, 100, false", "100, 0, true"})
    void shouldSayWhetherItRestsBetweenAnAnswerAndTheNextMessage(long rest, long answer, boolean expected)
            throws IOException {
        restNanos = rest;
        answerNanos = answer;
        use(1);

        assertThat(rests).hasSizeGreaterThan(3).containsOnly(expected);
    }

    @Test
    void shouldLookAtTheClockWhereNobodySaysWhenToMove() throws IOException {
        switchAfter = CALLS + 1;
        use(1);
        assertThat(requests).hasValue(0);
        assertThat(looksAtClock).isZero();

        switchAfter = Config.AUTO;
        use(1);
        assertThat(looksAtClock).isPositive();
    }

    /** Wherever that is between two of the calls at which it is asked otherwise. */
    @ParameterizedTest
    @ValueSource(ints = {1, 9, 10, 15, 16, 17, 31, 198})
    void shouldAskOnceBehindAsManyCallsAsSomebodySays(int calls) throws IOException {
        switchAfter = calls;
        use(1);

        assertThat(bytesOfCalls).hasSize(1);
        assertThat(looksAtClock).isZero();
    }

    @Test
    void shouldForgetHowMuchItHasRestedBefore() throws IOException {
        restNanos = 1000;
        answerNanos = 1;
        restsUntil = CALLS / 4;
        use(1);

        assertThat(rests).startsWith(true, true).endsWith(false, false);
    }

    @Test
    void shouldNotTakeForRestWhatGoesByWithinAMessage() throws IOException {
        halfNanos = 1000;
        restNanos = 100;
        use(1);

        assertThat(rests).hasSizeGreaterThan(3).containsOnly(false);
    }

    @Test
    void shouldTellBulk() throws IOException {
        use(2 * MovePolicy.BULK_BYTES);

        assertThat(bytesOfCalls.get(0)).isGreaterThanOrEqualTo(MovePolicy.BULK_BYTES);
        assertThat(requests).hasValue(1);
    }
}
