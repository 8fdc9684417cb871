package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkerGroupTest {
    private final Processes processes = Processes.fresh();
    private final WorkerGroup group = processes.left.newGroup();

    @AfterEach
    void close() {
        group.close();
    }

    private static Peer process() {
        return new Peer(UUID.randomUUID(), true, 1 << 16, 100);
    }

    private int openWorkers() {
        return processes.ucx.workers().size();
    }

    @Test
    void shouldMakeNoWorkerBeforeItsFirstUse() {
        assertThat(openWorkers()).isZero();
        assertThat(group.workers()).isEmpty();
    }

    @Test
    void shouldServeOneProcessOfThisHostWithOneWorker() throws IOException {
        Peer peer = process();
        TransportWorker worker = group.acquire(peer);

        assertThat(group.acquire(peer)).isSameAs(worker);
        assertThat(group.acquire(new Peer(peer.processId(), true, 1 << 20, 7))).isSameAs(worker);
        assertThat(group.acquire(process())).isNotSameAs(worker);
        assertThat(openWorkers()).isEqualTo(2);
    }

    @Test
    void shouldKeepTheWorkersOfGroupsApart() throws IOException {
        Peer peer = process();
        WorkerGroup other = processes.left.newGroup();

        assertThat(group.acquire(peer)).isNotSameAs(other.acquire(peer));
    }

    @Test
    void shouldSayWhyOtherHostsAreOutOfReach() {
        assertThatThrownBy(() -> group.acquire(new Peer(UUID.randomUUID(), false, 1 << 16, 100)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no network is trusted");
    }

    @Test
    void shouldKeepAWorkerForTheNextConnection() throws IOException {
        Peer peer = process();
        TransportWorker worker = group.acquire(peer);
        group.release(worker);

        assertThat(worker.isClosed()).isFalse();
        assertThat(group.acquire(peer)).isSameAs(worker);
    }

    @Test
    void shouldCloseAWorkerThatNobodyWantsForLong() throws IOException {
        TransportWorker unused = group.acquire(process());
        Peer peer = process();
        TransportWorker used = group.acquire(peer);
        group.release(used);
        group.release(unused);
        group.acquire(peer);

        await().atMost(Duration.ofSeconds(20)).until(unused::isClosed);

        assertThat(used.isClosed()).as("in use again").isFalse();
        assertThat(group.workers()).containsExactly(used);
        assertThat(openWorkers()).isEqualTo(1);
    }

    @Test
    void shouldCloseUnusedWorkersWithTheGroup() throws IOException {
        TransportWorker worker = group.acquire(process());
        group.release(worker);

        group.close();

        assertThat(worker.isClosed())
                .as("a peer may be about to open its memory")
                .isFalse();
        await().until(worker::isClosed);
        await().until(() -> openWorkers() == 0 && processes.ucx.openMemory() == 0);
    }

    @Test
    void shouldCloseAUsedWorkerWithItsLastConnection() throws IOException {
        Peer peer = process();
        TransportWorker worker = group.acquire(peer);
        group.acquire(peer);
        group.close();
        group.close();
        assertThat(worker.isClosed()).isFalse();
        group.release(worker);
        assertThat(worker.isClosed()).isFalse();

        group.release(worker);

        await().until(worker::isClosed);
        assertThat(group.workers()).isEmpty();
    }

    @Test
    void shouldTakeNobodyOnceItIsClosed() {
        group.close();

        assertThatThrownBy(() -> group.acquire(process())).isInstanceOf(IOException.class);
        assertThat(openWorkers()).isZero();
    }

    @Test
    void shouldEndEverythingWithTheLastConnection() throws IOException {
        try (TwoSides sides = TwoSides.open(processes).frozen()) {
            Pattern.write(sides.left.connection, 0, 50_000);
            sides.settle();
            sides.left.group.close();
            sides.right.group.close();
            assertThat(openWorkers()).isEqualTo(2);
        }
        await().until(() -> openWorkers() == 0 && processes.ucx.openMemory() == 0);
    }

    @Test
    void shouldCloseARetiredWorkerLater() throws IOException {
        TransportWorker worker = group.acquire(process());
        worker.lock();
        try {
            group.retire(worker);
            assertThat(group.workers()).isEmpty();
            assertThat(worker.isClosed())
                    .as("a peer may be about to open its memory")
                    .isFalse();
        } finally {
            worker.unlock();
        }
        await().until(worker::isClosed);
    }

    @Test
    void shouldRetireTheWorkerOfADeadPeer() throws IOException {
        try (OneSide first = OneSide.open(processes).bind().attach();
                OneSide second = first.another().bind().attach()) {
            TransportWorker worker = first.worker();
            first.connection.onControlClosed();
            first.thaw();
            second.thaw();
            assertThat(worker.isClosed()).as("one connection works").isFalse();

            second.connection.onControlClosed();

            await().until(worker::isClosed);
            assertThat(first.group.workers()).doesNotContain(worker);
            try (OneSide next = first.another()) {
                assertThat(next.bindThawed()).isNotSameAs(worker);
            }
        }
    }

    @Test
    void shouldKeepUnreadBytesOfARetiredWorkerUntilTheLastConnectionIsClosed() throws IOException {
        try (OneSide side = OneSide.open(processes).bind().attach()) {
            side.peer.data(side.id(), 0, Pattern.bytes(0, 1000));
            side.settle();
            side.connection.onControlClosed();
            side.thaw();
            await().until(() -> side.worker().isClosed());

            assertThat(Pattern.read(side.connection, 400)).isEqualTo(Pattern.bytes(0, 400));
            assertThat(Pattern.read(side.connection, 1000)).isEqualTo(Pattern.bytes(400, 600));
            assertThatThrownBy(() -> Pattern.read(side.connection, 1)).isInstanceOf(IOException.class);

            side.connection.close();
            assertThat(side.worker().slices().bytes()).isZero();
        }
    }

    /** Threads that wait for the lock of a worker. */
    private static int queued(TransportWorker worker) throws ReflectiveOperationException {
        Field lock = TransportWorker.class.getDeclaredField("lock");
        lock.setAccessible(true);
        return ((ReentrantLock) lock.get(worker)).getQueueLength();
    }

    /** A connection that is on its way to a worker while the others' failure retires it must get another one. */
    @Test
    void shouldBindToAFreshWorkerWhenItsOwnIsRetiredMeanwhile() throws Exception {
        try (OneSide broken = OneSide.open(processes).bind().attach();
                OneSide next = broken.another()) {
            TransportWorker old = broken.worker();
            broken.connection.onControlClosed();
            // The poller waits for the lock, to retire the worker, before the binding thread does.
            await().until(() -> queued(old) == 1);
            CompletableFuture<TransportWorker> bound = CompletableFuture.supplyAsync(next::bindThawed);
            await().until(() -> queued(old) == 2);
            broken.thaw();

            assertThat(bound.get()).isNotSameAs(old);
            assertThat(next.worker().isClosed()).isFalse();
        }
    }
}
