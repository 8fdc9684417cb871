package org.ucxnio.ucx.fake;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.ucxnio.posix.EventFd;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxWorker;
import org.ucxnio.ucx.UcxWorkerListener;

/** A worker of the fake. Tests kill it with {@link #die}. */
public final class FakeWorker implements UcxWorker {
    /** Messages one call of progress delivers at most, so that tests see it return with work left. */
    public static final int PROGRESS_LIMIT = 16;

    private final FakeUcx ucx;
    private final UcxWorkerListener listener;
    private final EventFd eventFd;
    private final int id;
    private final FakeMessage message = new FakeMessage();

    // Guarded by the fake's lock.
    private final Deque<byte[]> inbox = new ArrayDeque<>();
    private final Deque<Runnable> completions = new ArrayDeque<>();
    private final Deque<Runnable> failures = new ArrayDeque<>();
    private final Set<FakeEndpoint> endpoints = new LinkedHashSet<>();
    private boolean armed;
    private boolean signalled;
    private boolean closed;

    // The caller's, who serialises.
    private boolean inCallback;
    private Throwable callbackError;

    FakeWorker(FakeUcx ucx, UcxWorkerListener listener) {
        this.ucx = ucx;
        this.listener = listener;
        this.eventFd = ucx.newEventFd();
        this.id = ucx.register(this);
    }

    int id() {
        return id;
    }

    UcxWorkerListener listener() {
        return listener;
    }

    /** Its endpoints that are open. */
    public List<FakeEndpoint> endpoints() {
        synchronized (ucx.lock) {
            return new ArrayList<>(endpoints);
        }
    }

    /** Messages that arrived and are not delivered. */
    public int inboxSize() {
        synchronized (ucx.lock) {
            return inbox.size();
        }
    }

    /** Its process is killed: it receives nothing any more, and endpoints that lead to it fail. Any thread. */
    public void die(int status) {
        ucx.unregister(id);
        for (FakeWorker worker : ucx.workers()) {
            worker.endpoints().stream()
                    .filter(endpoint -> endpoint.leadsTo(this))
                    .forEach(endpoint -> endpoint.fail(status));
        }
    }

    @Override
    public byte[] address() {
        return FakeUcx.address(id);
    }

    @Override
    public int eventFd() {
        return eventFd.fd();
    }

    @Override
    public int progress() {
        requireIdle();
        List<Runnable> work = new ArrayList<>();
        int left = 0;
        synchronized (ucx.lock) {
            if (!ucx.faults.holdsPending(this)) {
                for (FakeEndpoint endpoint : endpoints) {
                    left += endpoint.advance();
                }
            }
            if (!ucx.faults.holdsCompletions(this)) {
                work.addAll(completions);
                completions.clear();
            }
            work.addAll(failures);
            failures.clear();
            for (int i = 0; i < PROGRESS_LIMIT && !inbox.isEmpty() && !ucx.faults.holdsDelivery(this); i++) {
                byte[] bytes = inbox.poll();
                work.add(() -> deliver(bytes));
            }
        }
        work.forEach(this::report);
        rethrow();
        return left + work.size();
    }

    private void deliver(byte[] bytes) {
        message.wrap(bytes);
        try {
            listener.onMessage(message);
        } finally {
            message.wrap(null);
        }
    }

    /** Runs a callback; what it throws is kept for progress. */
    void report(Runnable callback) {
        boolean nested = inCallback;
        inCallback = true;
        try {
            callback.run();
        } catch (RuntimeException | Error e) {
            callbackError = callbackError == null ? e : callbackError;
        } finally {
            inCallback = nested;
        }
    }

    private void rethrow() {
        Throwable thrown = callbackError;
        callbackError = null;
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        if (thrown instanceof Error e) {
            throw e;
        }
    }

    @Override
    public boolean flush() {
        requireIdle();
        synchronized (ucx.lock) {
            return !ucx.faults.holdsFlush(this);
        }
    }

    @Override
    public int arm() {
        requireIdle();
        synchronized (ucx.lock) {
            boolean mail = !inbox.isEmpty() && !ucx.faults.holdsDelivery(this);
            boolean done = !completions.isEmpty() && !ucx.faults.holdsCompletions(this);
            if (signalled) {
                eventFd.drain();
                signalled = false;
                return UcsStatus.ERR_BUSY;
            }
            if (mail || done || !failures.isEmpty()) {
                return UcsStatus.ERR_BUSY;
            }
            armed = true;
            return UcsStatus.OK;
        }
    }

    @Override
    public void signal() {
        synchronized (ucx.lock) {
            signalled = true;
            armed = false;
            eventFd.signal();
        }
    }

    @Override
    public UcxEndpoint connect(byte[] remoteAddress) throws UcxException {
        requireOpen();
        int peer = FakeUcx.id(remoteAddress);
        int fault = ucx.faults.onConnect(this);
        if (fault != UcsStatus.OK) {
            throw new UcxException("fake connect", fault);
        }
        if (ucx.worker(peer) == null) {
            throw new UcxException("fake connect", UcsStatus.ERR_UNREACHABLE);
        }
        FakeEndpoint endpoint = new FakeEndpoint(ucx, this, peer);
        synchronized (ucx.lock) {
            endpoints.add(endpoint);
        }
        return endpoint;
    }

    /** Takes a message where there is room; with the fake's lock held. */
    boolean accept(Supplier<byte[]> content) {
        if (inbox.size() >= ucx.capacity) {
            return false;
        }
        inbox.add(content.get());
        wake();
        return true;
    }

    void completed(long token, int status) {
        completions.add(() -> listener.onSendCompleted(token, status));
    }

    void failed(FakeEndpoint endpoint, int status) {
        failures.add(() -> {
            // As in UCX: a closed endpoint is not reported any more.
            if (!endpoint.isClosed()) {
                listener.onEndpointFailed(endpoint, status);
            }
        });
        wake();
    }

    private void wake() {
        if (armed) {
            signal();
        }
    }

    void forget(FakeEndpoint endpoint) {
        endpoints.remove(endpoint);
    }

    @Override
    public void close() {
        if (inCallback) {
            throw new IllegalStateException("a worker cannot be closed from its own listener");
        }
        synchronized (ucx.lock) {
            if (closed) {
                return;
            }
            closed = true;
        }
        endpoints().forEach(FakeEndpoint::close);
        List<Runnable> unreported;
        synchronized (ucx.lock) {
            unreported = new ArrayList<>(completions);
            completions.clear();
        }
        unreported.forEach(this::report);
        ucx.unregister(id);
        eventFd.close();
    }

    private void requireIdle() {
        if (inCallback) {
            throw new IllegalStateException("not allowed from the worker's own listener");
        }
        requireOpen();
    }

    private void requireOpen() {
        synchronized (ucx.lock) {
            if (closed) {
                throw new IllegalStateException("the worker is closed");
            }
        }
    }
}
