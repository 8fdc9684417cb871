package org.ucxnio.transport;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.fake.FakeEndpoint;
import org.ucxnio.ucx.fake.FakeFaults;
import org.ucxnio.ucx.fake.FakeWorker;

/** Faults that a test switches on and off. Workers that a test plays itself have none. */
final class TestFaults implements FakeFaults {
    static final IntSupplier NO_FAULT = () -> UcsStatus.OK;

    /** How each send begins. */
    volatile IntSupplier sendStatus = NO_FAULT;

    volatile int connectStatus = UcsStatus.OK;
    volatile boolean holdPending;
    volatile boolean holdDelivery;
    volatile boolean holdCompletions;
    volatile boolean holdFlush;

    /** A worker whose progress throws. */
    volatile FakeWorker broken;

    final AtomicInteger thrown = new AtomicInteger();

    private final Set<FakeWorker> spared = ConcurrentHashMap.newKeySet();

    void spare(FakeWorker worker) {
        spared.add(worker);
    }

    void clear() {
        sendStatus = NO_FAULT;
        connectStatus = UcsStatus.OK;
        holdPending = false;
        holdDelivery = false;
        holdCompletions = false;
        holdFlush = false;
        broken = null;
    }

    /** As if the peer's queue were full: sends are pending until {@link #clear}. */
    void stall() {
        sendStatus = () -> UcsStatus.INPROGRESS;
        holdPending = true;
    }

    @Override
    public int onSend(FakeEndpoint endpoint, int length) {
        return spared.contains(endpoint.worker()) ? UcsStatus.OK : sendStatus.getAsInt();
    }

    @Override
    public boolean holdsDelivery(FakeWorker receiver) {
        return holdDelivery && !spared.contains(receiver);
    }

    @Override
    public boolean holdsPending(FakeWorker sender) {
        if (sender == broken) {
            thrown.incrementAndGet();
            throw new IllegalStateException("on purpose");
        }
        return holdPending && !spared.contains(sender);
    }

    @Override
    public boolean holdsFlush(FakeWorker sender) {
        return holdFlush && !spared.contains(sender);
    }

    @Override
    public boolean holdsCompletions(FakeWorker sender) {
        return holdCompletions && !spared.contains(sender);
    }

    @Override
    public int onConnect(FakeWorker worker) {
        return spared.contains(worker) ? UcsStatus.OK : connectStatus;
    }
}
