package org.ucxnio.ucx.fake;

import java.util.ArrayDeque;
import java.util.Deque;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxEndpoint;

/** An endpoint of the fake. Tests break it with {@link #fail}. */
public final class FakeEndpoint implements UcxEndpoint {
    /** A send that waits for room. Its memory is read when it leaves. */
    private record Pending(FakeMemory memory, int offset, int length, long token) {
        byte[] read() {
            byte[] bytes = new byte[length];
            memory.open(offset, length).get(offset, bytes);
            return bytes;
        }
    }

    private final FakeUcx ucx;
    private final FakeWorker worker;
    private final int peerId;

    // Guarded by the fake's lock.
    private final Deque<Pending> pending = new ArrayDeque<>();
    private int failure = UcsStatus.OK;
    private boolean closed;

    FakeEndpoint(FakeUcx ucx, FakeWorker worker, int peerId) {
        this.ucx = ucx;
        this.worker = worker;
        this.peerId = peerId;
    }

    /** The worker this endpoint belongs to. */
    public FakeWorker worker() {
        return worker;
    }

    /** Whether it leads to that worker. */
    public boolean leadsTo(FakeWorker peer) {
        return peer.id() == peerId;
    }

    /** Sends that wait for room. */
    public int pendingSends() {
        synchronized (ucx.lock) {
            return pending.size();
        }
    }

    public boolean isClosed() {
        synchronized (ucx.lock) {
            return closed;
        }
    }

    /** Breaks it: pending sends fail and the listener hears of it at the worker's next progress. Any thread. */
    public void fail(int status) {
        synchronized (ucx.lock) {
            if (closed || failure != UcsStatus.OK) {
                return;
            }
            failure = status;
            pending.forEach(send -> worker.completed(send.token, status));
            pending.clear();
            worker.failed(this, status);
        }
    }

    @Override
    public int send(NativeMemory memory, int offset, int length, long token) {
        FakeMemory block = (FakeMemory) memory;
        block.open(offset, length);
        synchronized (ucx.lock) {
            if (closed) {
                return UcsStatus.ERR_NOT_CONNECTED;
            }
            if (failure != UcsStatus.OK) {
                return failure;
            }
            int fault = ucx.faults.onSend(this, length);
            if (fault < 0) {
                return fault;
            }
            Pending send = new Pending(block, offset, length, token);
            if (fault == UcsStatus.OK && pending.isEmpty() && leave(send)) {
                return UcsStatus.OK;
            }
            pending.add(send);
            return UcsStatus.INPROGRESS;
        }
    }

    /** Moves pending sends on, in order; with the fake's lock held. Returns how many left. */
    int advance() {
        int left = 0;
        while (!pending.isEmpty() && leave(pending.peek())) {
            worker.completed(pending.poll().token, UcsStatus.OK);
            left++;
        }
        return left;
    }

    private boolean leave(Pending send) {
        FakeWorker peer = ucx.worker(peerId);
        if (peer == null || ucx.faults.loses(this, send.length)) {
            // As over shared memory: whoever writes to a worker that is gone hears nothing of it.
            return true;
        }
        return peer.accept(send::read);
    }

    @Override
    public String lanes() {
        return "fake/memory";
    }

    @Override
    public void close() {
        Deque<Pending> cancelled;
        synchronized (ucx.lock) {
            if (closed) {
                return;
            }
            closed = true;
            cancelled = new ArrayDeque<>(pending);
            pending.clear();
            worker.forget(this);
        }
        cancelled.forEach(
                send -> worker.report(() -> worker.listener().onSendCompleted(send.token, UcsStatus.ERR_CANCELED)));
    }
}
