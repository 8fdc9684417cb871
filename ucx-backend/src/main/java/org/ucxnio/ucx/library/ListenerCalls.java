package org.ucxnio.ucx.library;

import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxMessage;
import org.ucxnio.ucx.UcxWorkerListener;

/**
 * Calls the listener of a worker from inside UCX, where nothing may be thrown: what the listener throws is kept until the worker's caller
 * can be told. Serialised with the worker; allocates nothing.
 */
public final class ListenerCalls {
    private final UcxWorkerListener listener;

    // A listener that closes an endpoint is called again, about what that cancels.
    private int depth;
    private Throwable thrown;

    ListenerCalls(UcxWorkerListener listener) {
        this.listener = listener;
    }

    public void message(UcxMessage message) {
        depth++;
        try {
            listener.onMessage(message);
        } catch (Throwable t) {
            keep(t);
        } finally {
            depth--;
        }
    }

    public void sendCompleted(long token, int status) {
        depth++;
        try {
            listener.onSendCompleted(token, status);
        } catch (Throwable t) {
            keep(t);
        } finally {
            depth--;
        }
    }

    public void endpointFailed(UcxEndpoint endpoint, int status) {
        depth++;
        try {
            listener.onEndpointFailed(endpoint, status);
        } catch (Throwable t) {
            keep(t);
        } finally {
            depth--;
        }
    }

    /** In place of a message whose bytes UCX does not have yet. */
    public void messageDropped(long length) {
        keep(new IllegalStateException(
                "a message of " + length + " bytes was dropped: its sender uses rendezvous, which ucxnio never does"));
    }

    /** What was thrown inside a callback, for the worker's caller. */
    public void keep(Throwable t) {
        if (thrown == null) {
            thrown = t;
        } else if (thrown != t) {
            thrown.addSuppressed(t);
        }
    }

    /** Whether the listener is being called. */
    boolean areUnderWay() {
        return depth != 0;
    }

    /** Throws what was kept, once. */
    void throwKept() {
        if (thrown != null) {
            throwOnce();
        }
    }

    private void throwOnce() {
        Throwable kept = takeKept();
        if (kept instanceof Error) {
            throw (Error) kept;
        }
        throw kept instanceof RuntimeException ? (RuntimeException) kept : new IllegalStateException(kept);
    }

    /** What was kept and not thrown, or null. */
    Throwable takeKept() {
        Throwable kept = thrown;
        thrown = null;
        return kept;
    }
}
