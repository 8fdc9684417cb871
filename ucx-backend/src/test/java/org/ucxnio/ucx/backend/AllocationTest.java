package org.ucxnio.ucx.backend;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.posix.Epoll;
import org.ucxnio.posix.ffm.FfmPosix;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxMessage;
import org.ucxnio.ucx.UcxWorker;
import org.ucxnio.ucx.UcxWorkerListener;

/** No hot path allocates on the Java heap. */
@Timeout(60)
class AllocationTest {
    private static final int ROUNDS = 20_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final class CopyingListener implements UcxWorkerListener {
        private final NativeMemory target;
        private long received;
        private long completed;

        CopyingListener(NativeMemory target) {
            this.target = target;
        }

        @Override
        public void onMessage(UcxMessage message) {
            received += message.getInt(0) - message.getInt(0) + 1;
            message.copyTo(0, target, 0, message.length());
        }

        @Override
        public void onSendCompleted(long token, int status) {
            completed++;
        }

        @Override
        public void onEndpointFailed(UcxEndpoint endpoint, int status) {
            throw new AssertionError(UcsStatus.describe(status));
        }
    }

    @Test
    void shouldNotAllocatePerMessage() throws Exception {
        try (UcxContext context = TestUcx.context("posix");
                NativeMemory source = context.allocate(65536);
                NativeMemory target = context.allocate(65536);
                Epoll epoll = new FfmPosix().openEpoll()) {
            CopyingListener listener = new CopyingListener(target);
            try (UcxWorker sender = context.createWorker(listener);
                    UcxWorker receiver = context.createWorker(listener)) {
                UcxEndpoint endpoint = sender.connect(receiver.address());
                epoll.add(receiver.eventFd(), Epoll.IN, 1);
                long least = Long.MAX_VALUE;
                // Interpreted and freshly compiled code allocates; what it does for ever shows in every attempt.
                for (int attempt = 0; attempt < 20 && least > 0; attempt++) {
                    long before = THREADS.getCurrentThreadAllocatedBytes();
                    rounds(ROUNDS, endpoint, sender, receiver, source, epoll);
                    least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
                }
                assertThat(listener.received).isGreaterThanOrEqualTo(ROUNDS);
                assertThat(listener.completed).isPositive();
                assertThat(least).as("bytes for " + ROUNDS + " rounds").isLessThan(ROUNDS / 10);
            }
        }
    }

    /** Small sends, a multi-fragment one that is pending at times, progress, arm, epoll, signal. */
    private static void rounds(
            int count, UcxEndpoint endpoint, UcxWorker sender, UcxWorker receiver, NativeMemory source, Epoll epoll)
            throws Exception {
        for (int i = 0; i < count; i++) {
            endpoint.send(source, 0, 16, i);
            if ((i & 7) == 0) {
                for (int burst = 0; burst < 10; burst++) {
                    endpoint.send(source, 0, 65536, i);
                }
            }
            sender.progress();
            while (receiver.progress() != 0) {
                sender.progress();
            }
            receiver.arm();
            receiver.signal();
            epoll.await(0);
        }
    }
}
