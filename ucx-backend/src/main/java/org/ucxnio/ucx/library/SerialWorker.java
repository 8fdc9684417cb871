package org.ucxnio.ucx.library;

import java.util.ArrayList;
import java.util.Collection;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxWorker;
import org.ucxnio.ucx.UcxWorkerListener;

/**
 * A {@code ucp_worker_h} with one active-message handler. The caller serialises everything but {@link #signal} and {@link #eventFd}; fields
 * are plain for that reason. A process loads one subclass, so that the compiler sees through the calls that {@link #progress} makes.
 */
public abstract class SerialWorker implements UcxWorker {
    /** The one active-message id, the same in every process. */
    protected static final int MESSAGE_ID = 1;

    /** What is read behind the end of a truncated address is zero, for so many bytes. */
    protected static final int ADDRESS_PADDING = 1024;

    /** Longer than any address of a machine with many devices. */
    private static final int LONGEST_ADDRESS = 16 * 1024;

    private static final int MAX_FLUSH_ROUNDS = 100_000;

    private enum State {
        OPEN,
        /** A listener that hears of cancelled sends must not open endpoints any more. */
        CLOSING,
        /** UCX does not have it any more, or it is left behind. */
        CLOSED
    }

    protected final CountedContext context;
    protected final ListenerCalls calls;

    // Guards the worker against signal(), which any thread may call while another closes it.
    private final Object signalLock = new Object();

    // CLOSED is set under signalLock.
    private State state = State.OPEN;

    protected SerialWorker(CountedContext context, UcxWorkerListener listener) {
        this.context = context;
        this.calls = new ListenerCalls(listener);
    }

    @Override
    public final int progress() {
        requireIdle();
        int done = advance();
        calls.throwKept();
        return done;
    }

    /** {@code ucp_worker_progress}. */
    protected abstract int advance();

    @Override
    public final void signal() {
        synchronized (signalLock) {
            if (state != State.CLOSED) {
                wake();
            }
        }
    }

    /** {@code ucp_worker_signal}. */
    protected abstract void wake();

    /** Whether it may be used: nobody has begun to close it. */
    protected final boolean isOpen() {
        return state == State.OPEN;
    }

    /** For functions that UCX does not allow inside a callback. */
    protected final void requireIdle() {
        if (calls.areUnderWay()) {
            throw new IllegalStateException("not allowed from the worker's own listener");
        }
        requireOpen();
    }

    private void requireOpen() {
        if (!isOpen()) {
            throw new IllegalStateException("the UCX worker is closed");
        }
    }

    /** Before UCX is given an address to connect to. */
    protected final void requireConnectable(byte[] remoteAddress) throws UcxException {
        requireOpen();
        if (remoteAddress.length == 0 || remoteAddress.length > LONGEST_ADDRESS) {
            throw new UcxException("worker address of " + remoteAddress.length + " bytes", UcsStatus.ERR_INVALID_ADDR);
        }
    }

    /** Closes the endpoints by force, destroys the worker; sends still in progress are cancelled. */
    @Override
    public final void close() {
        if (!isOpen()) {
            return;
        }
        if (calls.areUnderWay()) {
            throw new IllegalStateException("a worker cannot be closed from its own listener");
        }
        state = State.CLOSING;
        for (UcxEndpoint endpoint : new ArrayList<>(endpoints())) {
            endpoint.close();
        }
        boolean flushed = endFlush();
        synchronized (signalLock) {
            state = State.CLOSED;
        }
        if (flushed) {
            destroy();
            logKept();
            context.release();
        } else {
            // Better a worker too many, and its context, than a process that ends.
            log("a worker that UCX cannot flush is left behind", null);
        }
    }

    /** The open endpoints, each of which takes itself out as it is closed. */
    protected abstract Collection<? extends UcxEndpoint> endpoints();

    /**
     * With the endpoints closed, by which a flush is cancelled: UCX 1.13 ends the process where a worker is destroyed before the flush
     * has let go of them.
     */
    private boolean endFlush() {
        for (int i = 0; i < MAX_FLUSH_ROUNDS && isFlushing(); i++) {
            try {
                advance();
            } catch (RuntimeException e) {
                calls.keep(e);
            }
        }
        return !isFlushing();
    }

    /** Whether UCX is still at a flush, if there was one. */
    protected abstract boolean isFlushing();

    /** Destroys the worker, and then completes as cancelled what UCX has not completed. */
    protected abstract void destroy();

    private void logKept() {
        Throwable kept = calls.takeKept();
        if (kept != null) {
            log("a listener failed while its worker was closed", kept);
        }
    }

    private void log(String message, Throwable thrown) {
        System.getLogger(getClass().getName()).log(System.Logger.Level.WARNING, message, thrown);
    }
}
