package org.ucxnio.ucx.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.posix.Epoll;
import org.ucxnio.posix.ffm.FfmPosix;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxMessage;
import org.ucxnio.ucx.UcxWorkerListener;

/** The fake keeps the SPI's contract, and its faults are what they say. */
@Timeout(30)
class FakeUcxTest {
    private static final class Recorder implements UcxWorkerListener {
        private final List<Long> messages = new ArrayList<>();
        private final List<String> completions = new ArrayList<>();
        private final List<Integer> failures = new ArrayList<>();

        @Override
        public void onMessage(UcxMessage message) {
            messages.add(message.getLong(0));
        }

        @Override
        public void onSendCompleted(long token, int status) {
            completions.add(token + " " + UcsStatus.name(status));
        }

        @Override
        public void onEndpointFailed(UcxEndpoint endpoint, int status) {
            failures.add(status);
        }
    }

    private final Recorder left = new Recorder();
    private final Recorder right = new Recorder();
    private FakeUcx ucx;
    private UcxContext context;
    private FakeWorker leftWorker;
    private FakeWorker rightWorker;
    private UcxEndpoint toRight;
    private NativeMemory memory;

    private void connect(FakeFaults faults) throws UcxException {
        ucx = new FakeUcx(2, faults);
        context = ucx.openContext(new UcxContextOptions("fake", Map.of()));
        leftWorker = (FakeWorker) context.createWorker(left);
        rightWorker = (FakeWorker) context.createWorker(right);
        toRight = leftWorker.connect(rightWorker.address());
        memory = context.allocate(1024);
        for (int i = 0; i < 128; i++) {
            memory.buffer().putLong(i * 8, i);
        }
    }

    private int send(int value) {
        return toRight.send(memory, value * 8, 8, value);
    }

    @Test
    void shouldQueueBeyondCapacityAndCompleteInOrder() throws UcxException {
        connect(FakeFaults.NONE);
        assertThat(List.of(send(1), send(2))).containsOnly(UcsStatus.OK);
        assertThat(List.of(send(3), send(4), send(5))).containsOnly(UcsStatus.INPROGRESS);
        // What a pending send carries is read when it leaves: its memory must stay unchanged until it completes.
        memory.buffer().putLong(3 * 8, 33);
        leftWorker.progress();
        assertThat(left.completions).isEmpty();
        for (int i = 0; i < 4; i++) {
            rightWorker.progress();
            leftWorker.progress();
        }
        assertThat(right.messages).containsExactly(1L, 2L, 33L, 4L, 5L);
        assertThat(left.completions).containsExactly("3 OK", "4 OK", "5 OK");
    }

    @Test
    void shouldCancelPendingSendsOnClose() throws UcxException {
        connect(FakeFaults.NONE);
        for (int i = 0; i < 4; i++) {
            send(i);
        }
        toRight.close();
        assertThat(left.completions).containsExactly("2 ERR_CANCELED", "3 ERR_CANCELED");
        assertThat(send(1)).isEqualTo(UcsStatus.ERR_NOT_CONNECTED);
        leftWorker.close();
        assertThatThrownBy(leftWorker::progress).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldWakeAnArmedWorker() throws Exception {
        connect(FakeFaults.NONE);
        try (Epoll epoll = new FfmPosix().openEpoll()) {
            epoll.add(rightWorker.eventFd(), Epoll.IN, 1);
            assertThat(rightWorker.arm()).isEqualTo(UcsStatus.OK);
            assertThat(epoll.await(0)).isZero();
            send(1);
            assertThat(epoll.await(1000)).isOne();
            rightWorker.progress();
            assertThat(rightWorker.arm()).isEqualTo(UcsStatus.ERR_BUSY);
            assertThat(rightWorker.arm()).isEqualTo(UcsStatus.OK);
            assertThat(epoll.await(0)).isZero();
            rightWorker.signal();
            assertThat(epoll.await(1000)).isOne();
        }
    }

    @Test
    void shouldFailEndpointsOfADeadWorker() throws UcxException {
        connect(FakeFaults.NONE);
        for (int i = 0; i < 3; i++) {
            send(i);
        }
        rightWorker.die(UcsStatus.ERR_CONNECTION_RESET);
        leftWorker.progress();
        assertThat(left.completions).containsExactly("2 ERR_CONNECTION_RESET");
        assertThat(left.failures).containsExactly(UcsStatus.ERR_CONNECTION_RESET);
        assertThat(send(1)).isEqualTo(UcsStatus.ERR_CONNECTION_RESET);
    }

    @Test
    void shouldInjectFaults() throws UcxException {
        AtomicBoolean holding = new AtomicBoolean(true);
        connect(new FakeFaults() {
            @Override
            public int onSend(FakeEndpoint endpoint, int length) {
                return length == 16 ? UcsStatus.ERR_NO_MEMORY : UcsStatus.INPROGRESS;
            }

            @Override
            public boolean holdsCompletions(FakeWorker sender) {
                return holding.get();
            }
        });
        assertThat(toRight.send(memory, 0, 16, 1)).isEqualTo(UcsStatus.ERR_NO_MEMORY);
        assertThat(send(7)).isEqualTo(UcsStatus.INPROGRESS);
        leftWorker.progress();
        rightWorker.progress();
        assertThat(right.messages).containsExactly(7L);
        assertThat(left.completions).isEmpty();
        holding.set(false);
        leftWorker.progress();
        assertThat(left.completions).containsExactly("7 OK");
    }

    @Test
    void shouldRefuseMemoryThatIsFreedOrTooSmall() throws UcxException {
        connect(FakeFaults.NONE);
        assertThatThrownBy(() -> toRight.send(memory, 1024, 1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        memory.close();
        assertThatThrownBy(() -> send(1)).isInstanceOf(IllegalStateException.class);
        assertThat(ucx.openMemory()).isZero();
    }

    @Test
    void shouldRefuseWhatIsNoAddress() throws UcxException {
        connect(FakeFaults.NONE);
        assertThatThrownBy(() -> leftWorker.connect(new byte[3])).isInstanceOf(UcxException.class);
    }
}
