package org.ucxnio.ucx.backend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.ucxnio.posix.Epoll;
import org.ucxnio.posix.ffm.FfmPosix;
import org.ucxnio.posix.ffm.LibC;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxMessage;
import org.ucxnio.ucx.UcxWorker;

/** Two workers of one process over shared memory, without a thread of their own: the test progresses both. */
@Timeout(60)
class WorkerTest {
    private static final int LARGEST = 1 << 20;
    private static final int MANY = 5_000;

    /** Does not go with the request to be connected. */
    private static final int LONG_FOR_ONE_SLOT = 200;

    private static final int GONE_PEERS = 20;
    private static final int PROGRESSES = 10_000;

    private UcxContext context;
    private NativeMemory source;
    private NativeMemory scratch;
    private RecordingListener left;
    private RecordingListener right;
    private UcxWorker leftWorker;
    private UcxWorker rightWorker;
    private UcxEndpoint toRight;

    @BeforeEach
    void connect() throws UcxException {
        connect("posix");
    }

    private void connect(String transports) throws UcxException {
        context = TestUcx.context(transports);
        source = context.allocate(LARGEST);
        scratch = context.allocate(LARGEST);
        byte[] random = new byte[LARGEST];
        new Random(1).nextBytes(random);
        source.buffer().put(0, random);
        left = new RecordingListener(scratch);
        right = new RecordingListener(scratch);
        leftWorker = context.createWorker(left);
        rightWorker = context.createWorker(right);
        toRight = leftWorker.connect(rightWorker.address());
    }

    @AfterEach
    void close() {
        if (context != null) {
            leftWorker.close();
            rightWorker.close();
            source.close();
            scratch.close();
            context.close();
        }
    }

    private void progressUntil(BooleanSupplier done) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!done.getAsBoolean()) {
            leftWorker.progress();
            rightWorker.progress();
            assertThat(System.nanoTime()).as("deadline").isLessThan(end);
        }
    }

    private byte[] sourceBytes(int offset, int length) {
        byte[] bytes = new byte[length];
        source.buffer().get(offset, bytes);
        return bytes;
    }

    /** Sends until the queue is full and some are pending; returns how many were sent. */
    private int overfill(int length) {
        int sent = 0;
        int pending = 0;
        while (pending < 20) {
            int status = toRight.send(source, sent, length, sent);
            assertThat(status).isIn(UcsStatus.OK, UcsStatus.INPROGRESS);
            pending += status == UcsStatus.INPROGRESS ? 1 : 0;
            sent++;
            assertThat(sent).as("sends without any pending").isLessThan(MANY);
        }
        return sent;
    }

    @Test
    void shouldDeliverMessagesOfEverySizeIntactAndInOrder() {
        int[] sizes = {0, 1, 7, 92, 93, 1000, 8191, 8192, 8248, 8249, 16384, 65536, LARGEST};
        for (int size : sizes) {
            toRight.send(source, LARGEST - size, size, size);
        }
        progressUntil(() -> right.messages.size() == sizes.length);
        for (int i = 0; i < sizes.length; i++) {
            assertThat(right.messages.get(i)).as("message " + i).isEqualTo(sourceBytes(LARGEST - sizes[i], sizes[i]));
        }
        assertThat(left.completions).allMatch(completion -> completion.status() == UcsStatus.OK);
    }

    @Test
    void shouldNeverUseRendezvousWhateverTheConfigurationSays() throws UcxException {
        close();
        context = null;
        try (UcxContext eager = TestUcx.context("posix,tcp", "RNDV_THRESH", "1024");
                NativeMemory memory = eager.allocate(LARGEST)) {
            RecordingListener receiver = new RecordingListener(memory);
            try (UcxWorker sending = eager.createWorker(new RecordingListener(memory));
                    UcxWorker receiving = eager.createWorker(receiver)) {
                int status = sending.connect(receiving.address()).send(memory, 0, LARGEST, 1);
                assertThat(status).isNotNegative();
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                while (receiver.messages.isEmpty() && System.nanoTime() < end) {
                    sending.progress();
                    receiving.progress();
                }
                assertThat(receiver.messages).hasSize(1);
            }
        }
    }

    /** As a process leaves them that is killed: the peer has asked to be connected, and does not hear the answer. */
    @Test
    void shouldBearPeersThatAreGoneBeforeTheyAreAnswered() throws UcxException {
        close();
        context = null;
        try (UcxContext host = TestUcx.context(TestUcx.library().hostTransport());
                NativeMemory memory = host.allocate(LONG_FOR_ONE_SLOT)) {
            RecordingListener receiver = new RecordingListener(memory);
            try (UcxWorker receiving = host.createWorker(receiver)) {
                for (int i = 0; i < GONE_PEERS; i++) {
                    UcxWorker sending = host.createWorker(new RecordingListener(memory));
                    sending.connect(receiving.address()).send(memory, 0, LONG_FOR_ONE_SLOT, 1);
                    sending.close();
                    for (int j = 0; j < PROGRESSES; j++) {
                        receiving.progress();
                    }
                }
                assertThat(receiver.messages).hasSizeLessThanOrEqualTo(GONE_PEERS);
            }
        }
    }

    @Test
    void shouldCompleteSendsOfAFullQueueWhenThePeerMakesRoom() {
        int sent = overfill(100);
        assertThat(left.completions).isEmpty();
        progressUntil(() -> right.messages.size() == sent && left.completions.size() >= 20);
        assertThat(left.completions).hasSize(20).allMatch(completion -> completion.status() == UcsStatus.OK);
        assertThat(left.completions.get(0).token()).isLessThan(sent);
        for (int i = 0; i < sent; i++) {
            assertThat(right.messages.get(i)).isEqualTo(sourceBytes(i, 100));
        }
    }

    @Test
    void shouldCarryTokensOf64Bits() {
        overfill(100);
        int status = toRight.send(source, 0, 100, 0x8000_0001_0000_0002L);
        assertThat(status).isEqualTo(UcsStatus.INPROGRESS);
        progressUntil(() -> left.completions.stream().anyMatch(done -> done.token() == 0x8000_0001_0000_0002L));
    }

    @Test
    void shouldWakeTheDescriptorOfAnArmedWorker() throws Exception {
        try (Epoll epoll = new FfmPosix().openEpoll()) {
            epoll.add(rightWorker.eventFd(), Epoll.IN, 7);
            armed(rightWorker);
            assertThat(epoll.await(0)).isZero();
            toRight.send(source, 0, 16, 1);
            assertThat(epoll.await(5_000)).isOne();
            assertThat(epoll.data(0)).isEqualTo(7);
            progressUntil(() -> right.messages.size() == 1);
            // The wake-up is taken back by arming, not by progress.
            armed(rightWorker);
            assertThat(epoll.await(0)).isZero();
        }
    }

    @Test
    void shouldWakeTheDescriptorOnSignal() throws Exception {
        try (Epoll epoll = new FfmPosix().openEpoll()) {
            epoll.add(rightWorker.eventFd(), Epoll.IN, 0);
            armed(rightWorker);
            Thread.ofPlatform().start(rightWorker::signal).join();
            assertThat(epoll.await(5_000)).isOne();
        }
    }

    private static void armed(UcxWorker worker) {
        int status = UcsStatus.ERR_BUSY;
        for (int i = 0; i < MANY && status == UcsStatus.ERR_BUSY; i++) {
            while (worker.progress() != 0) {
                Thread.onSpinWait();
            }
            status = worker.arm();
        }
        assertThat(status).isEqualTo(UcsStatus.OK);
    }

    @Test
    void shouldArmAlthoughSendsArePending() {
        overfill(100);
        int status = UcsStatus.ERR_BUSY;
        for (int i = 0; i < MANY && status == UcsStatus.ERR_BUSY; i++) {
            leftWorker.progress();
            status = leftWorker.arm();
        }
        assertThat(status).isEqualTo(UcsStatus.OK);
    }

    @Test
    void shouldCancelPendingSendsWhenTheEndpointIsClosed() {
        overfill(100);
        toRight.close();
        assertThat(left.completions).hasSize(20).allMatch(completion -> completion.status() == UcsStatus.ERR_CANCELED);
        toRight.close();
        assertThat(toRight.send(source, 0, 1, 1)).isEqualTo(UcsStatus.ERR_NOT_CONNECTED);
        assertThat(toRight.lanes()).isEmpty();
    }

    @Test
    void shouldCancelPendingSendsWhenTheWorkerIsClosed() {
        overfill(9000);
        leftWorker.close();
        assertThat(left.completions).hasSize(20).allMatch(completion -> completion.status() == UcsStatus.ERR_CANCELED);
    }

    @Test
    void shouldRefuseUseOfAClosedWorker() {
        leftWorker.close();
        leftWorker.close();
        leftWorker.signal();
        assertThat(toRight.send(source, 0, 1, 1)).isEqualTo(UcsStatus.ERR_NOT_CONNECTED);
        assertThatThrownBy(leftWorker::progress).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(leftWorker::arm).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> leftWorker.connect(rightWorker.address())).isInstanceOf(IllegalStateException.class);
        toRight.close();
    }

    @Test
    void shouldRefuseUseOfFreedMemory() throws UcxException {
        NativeMemory freed = context.allocate(100);
        freed.close();
        freed.close();
        assertThatThrownBy(() -> toRight.send(freed, 0, 1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> toRight.send(source, LARGEST, 1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> toRight.send(source, -1, 1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldThrowWhatAListenerThrewFromProgressOnce() throws UcxException {
        List<UcxMessage> kept = new ArrayList<>();
        try (UcxWorker faulty = context.createWorker(new RecordingListener(scratch) {
            @Override
            public void onMessage(UcxMessage message) {
                kept.add(message);
                assertThatThrownBy(() -> message.getLong(message.length() - 7))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                throw new UnsupportedOperationException("by the test");
            }
        })) {
            leftWorker.connect(faulty.address()).send(source, 0, 16, 1);
            assertThatThrownBy(() -> progressUntil(() -> faulty.progress() < 0))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("by the test");
            assertThat(faulty.progress()).isZero();
            assertThat(kept.get(0).length())
                    .as("length of a message after its callback")
                    .isZero();
        }
    }

    @Test
    void shouldRefuseProgressFromAListener() throws UcxException {
        UcxWorker[] self = new UcxWorker[1];
        List<Throwable> thrown = new ArrayList<>();
        try (UcxWorker worker = context.createWorker(new RecordingListener(scratch) {
            @Override
            public void onMessage(UcxMessage message) {
                for (Runnable forbidden : List.<Runnable>of(self[0]::progress, self[0]::arm, self[0]::close)) {
                    try {
                        forbidden.run();
                    } catch (IllegalStateException e) {
                        thrown.add(e);
                    }
                }
            }
        })) {
            self[0] = worker;
            leftWorker.connect(worker.address()).send(source, 0, 16, 1);
            progressUntil(() -> worker.progress() >= 0 && !thrown.isEmpty());
            assertThat(thrown).hasSize(3);
        }
    }

    @Test
    void shouldSendConnectAndCloseFromAListener() throws UcxException {
        UcxWorker[] self = new UcxWorker[1];
        try (UcxWorker echo = context.createWorker(new RecordingListener(scratch) {
            @Override
            public void onMessage(UcxMessage message) {
                message.copyTo(0, scratch, 0, message.length());
                try {
                    UcxEndpoint back = self[0].connect(leftWorker.address());
                    back.send(scratch, 0, message.length(), 1);
                    back.close();
                } catch (UcxException e) {
                    throw new IllegalStateException(e);
                }
            }
        })) {
            self[0] = echo;
            leftWorker.connect(echo.address()).send(source, 0, 16, 1);
            progressUntil(() -> echo.progress() >= 0 && left.messages.size() == 1);
            assertThat(left.messages.get(0)).isEqualTo(sourceBytes(0, 16));
        }
    }

    @Test
    void shouldNameTransports() {
        assertThat(context.transports()).containsExactly("posix/memory");
        assertThat(toRight.lanes()).isEqualTo("posix/memory");
    }

    @Test
    void shouldGiveAlignedZeroedMemory() throws UcxException {
        try (NativeMemory memory = context.allocate(3 * 4096 + 1)) {
            assertThat(memory.buffer().isDirect()).isTrue();
            assertThat(memory.buffer().capacity()).isEqualTo(3 * 4096 + 1);
            assertThat(memory.buffer().alignmentOffset(0, 4096)).isZero();
            byte[] content = new byte[3 * 4096 + 1];
            memory.buffer().get(0, content);
            assertThat(content).containsOnly(0);
        }
        assertThatThrownBy(() -> context.allocate(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseAddressesOfNoLengthAndOfExcessiveLength() {
        for (int length : new int[] {0, 1 << 20}) {
            assertThatThrownBy(() -> leftWorker.connect(new byte[length]))
                    .isInstanceOf(UcxException.class)
                    .hasMessageContaining("ERR_INVALID_ADDR");
        }
    }

    @Test
    void shouldNameConfigurationThatUcxRejects() {
        assertThatThrownBy(() -> TestUcx.context("posix", "KEEPALIVE_INTERVAL", "soon"))
                .isInstanceOf(UcxException.class)
                .hasMessageContainingAll("KEEPALIVE_INTERVAL=soon", "ERR_INVALID_PARAM");
        assertThatThrownBy(() -> TestUcx.context("nonsense"))
                .isInstanceOf(UcxException.class)
                .hasMessageContainingAll("TLS=nonsense", "ERR_NO_DEVICE");
    }

    @Test
    void shouldLeaveConfigurationOfTheUserAlone() throws UcxException {
        // Read by a new context only, so it does not disturb other tests; nothing else uses this key.
        LibC.setenv("UCX_ADDRESS_VERSION", "v2");
        try (UcxContext mine = TestUcx.context("posix", "ADDRESS_VERSION", "nonsense");
                UcxWorker worker = mine.createWorker(left)) {
            assertThat(worker.address().length).isLessThan(leftWorker.address().length);
        } finally {
            LibC.setenv("UCX_ADDRESS_VERSION", "v1");
        }
    }

    @Test
    void shouldRefuseToCloseAContextInUse() throws UcxException {
        UcxContext mine = TestUcx.context("posix");
        UcxWorker worker = mine.createWorker(left);
        assertThatThrownBy(mine::close).isInstanceOf(IllegalStateException.class);
        worker.close();
        mine.close();
        mine.close();
        assertThatThrownBy(() -> mine.createWorker(left)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldSendRegisteredMemoryOverANetworkTransport() throws UcxException {
        close();
        connect("tcp");
        assertThat(source).hasToString(LARGEST + " bytes, registered");
        int[] sizes = {0, 16, 8192, 65536, LARGEST};
        for (int size : sizes) {
            assertThat(toRight.send(source, 0, size, size)).isNotNegative();
        }
        progressUntil(() -> right.messages.size() == sizes.length);
        for (int i = 0; i < sizes.length; i++) {
            assertThat(Arrays.equals(right.messages.get(i), sourceBytes(0, sizes[i])))
                    .isTrue();
        }
        assertThat(toRight.lanes()).startsWith("tcp/");
    }

    @Test
    void shouldTellWhetherAllThatWasSentHasLeft() throws UcxException {
        close();
        connect("tcp");
        progressUntil(leftWorker::flush);
        int sent = overfill(65536);
        assertThat(leftWorker.flush()).isFalse();
        for (int i = 0; i < 1000; i++) {
            leftWorker.progress();
        }
        assertThat(leftWorker.flush()).as("while the peer takes nothing").isFalse();
        progressUntil(leftWorker::flush);
        assertThat(left.completions).isNotEmpty().allMatch(completion -> completion.status() == UcsStatus.OK);
        progressUntil(() -> right.messages.size() == sent);
        assertThat(leftWorker.flush()).isTrue();
    }

    @Test
    void shouldCloseInTheMiddleOfAFlush() throws UcxException {
        close();
        connect("tcp");
        overfill(65536);
        assertThat(leftWorker.flush()).isFalse();
        leftWorker.close();
        assertThat(left.completions).isNotEmpty();
    }

    @Test
    void shouldCloseWhileAnotherThreadSignals() throws Exception {
        for (int round = 0; round < 20; round++) {
            UcxWorker worker = context.createWorker(left);
            Thread signaller = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 2000; i++) {
                    worker.signal();
                }
            });
            worker.close();
            signaller.join();
        }
    }
}
