package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
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
}
