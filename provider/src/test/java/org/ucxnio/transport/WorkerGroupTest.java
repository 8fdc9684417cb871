package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
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
        return process(() -> true);
    }

    private static Peer process(BooleanSupplier running) {
        return new Peer(UUID.randomUUID(), true, 1 << 16, 100, running);
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
        assertThat(group.acquire(new Peer(peer.processId(), true, 1 << 20, 7, peer.running())))
                .isSameAs(worker);
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
        assertThatThrownBy(() -> group.acquire(new Peer(UUID.randomUUID(), false, 1 << 16, 100, () -> true)))
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

    /** A worker that has sent a peer its first message, which waits for the peer. */
    private TransportWorker asking(Peer peer, RawPeer asked) throws IOException {
        TransportWorker worker = group.acquire(peer);
        processes.faults.stall();
        worker.lock();
        try {
            Link link = worker.link(asked.address());
            worker.confirmed(link);
            worker.releaseLink(link, true);
        } finally {
            worker.unlock();
        }
        group.release(worker);
        return worker;
    }

    /** The peer looks for the worker when it comes to it. */
    @Test
    void shouldKeepAWorkerUntilThePeerHasAnswered() throws IOException {
        AtomicInteger looks = new AtomicInteger();
        try (RawPeer asked = new RawPeer(processes)) {
            TransportWorker worker = asking(process(() -> looks.incrementAndGet() > 0), asked);

            group.close();

            await().until(() -> looks.get() > 3);
            assertThat(worker.isClosed()).isFalse();
            processes.faults.clear();
            await().until(worker::isClosed);
        }
    }

    @Test
    void shouldWaitForNoAnswerOfAProcessThatHasEnded() throws IOException {
        AtomicBoolean running = new AtomicBoolean(true);
        AtomicInteger looks = new AtomicInteger();
        try (RawPeer asked = new RawPeer(processes)) {
            TransportWorker worker = asking(
                    process(() -> {
                        looks.incrementAndGet();
                        return running.get();
                    }),
                    asked);
            group.close();
            await().until(() -> looks.get() > 0);

            running.set(false);

            await().until(worker::isClosed);
        } finally {
            processes.faults.clear();
        }
    }
}
