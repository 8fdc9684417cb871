package org.ucxnio.ucx.jucx;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.ucp.UcpAmData;
import org.openucx.jucx.ucp.UcpConstants;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;
import org.openucx.jucx.ucs.UcsConstants.STATUS;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxWorker;
import org.ucxnio.ucx.UcxWorkerListener;

/**
 * A {@link UcpWorker} with one active-message handler. The caller serialises everything but {@link #signal} and {@link #eventFd}; fields
 * are plain for that reason. JUCX knows no workers that their caller serialises, so it locks each call once more.
 */
final class JucxWorker implements UcxWorker {
    /** The one active-message id, the same in every process. */
    private static final int MESSAGE_ID = 1;

    /** Longer than any address of a machine with many devices. */
    private static final int LONGEST_ADDRESS = 16 * 1024;

    /** What is read behind the end of a truncated address is zero. */
    private static final int ADDRESS_PADDING = 1024;

    private static final int MAX_FLUSH_ROUNDS = 100_000;

    private static final UcxCallback NO_INTEREST = new UcxCallback() {
        @Override
        public void onError(int status, String message) {
            // The request says it too.
        }
    };

    private final JucxContext context;
    private final UcxWorkerListener listener;
    private final int eventFd;
    private final byte[] address;
    private final JucxMessage message = new JucxMessage();
    private final Set<JucxEndpoint> endpoints = new LinkedHashSet<>();
    private final List<JucxSend> freeSends = new ArrayList<>();
    private final List<JucxSend> allSends = new ArrayList<>();

    // Guards the worker against signal(), which any thread may call while another closes it.
    private final Object signalLock = new Object();

    // Null when closed. Written under signalLock.
    private UcpWorker worker;

    private final long handle;

    // Set when closing begins: a listener that hears of cancelled sends must not open endpoints any more.
    private boolean closing;

    // A flush that UCX is at; null where there is none.
    private UcpRequest flushing;

    private int callbackDepth;
    private Throwable callbackError;

    JucxWorker(JucxContext context, UcxWorkerListener listener) {
        this.context = context;
        this.listener = listener;
        // With send events an armed worker is busy for ever while a peer's queue is full; without receive events its
        // descriptor stays readable for ever.
        worker = context.handle()
                .newWorker(new UcpWorkerParams().requestThreadSafety().requestWakeupRX());
        handle = worker.getNativeId();
        try {
            // Before the address is known to anyone: UCX drops messages without a handler.
            worker.setAmRecvHandler(
                    MESSAGE_ID,
                    (header, headerSize, data, replyEndpoint) -> messageArrived(data),
                    UcpConstants.UCP_AM_FLAG_WHOLE_MSG);
            eventFd = worker.getEventFD();
            address = bytes(worker.getAddress());
        } catch (RuntimeException e) {
            worker.close();
            throw e;
        }
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.get(copy);
        return copy;
    }

    @Override
    public byte[] address() {
        return address.clone();
    }

    @Override
    public int eventFd() {
        return eventFd;
    }

    @Override
    public int progress() {
        int done;
        try {
            done = idle().progress();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        if (callbackError != null) {
            throwCallbackError();
        }
        return done;
    }

    @Override
    public boolean flush() {
        if (flushing == null) {
            try {
                flushing = idle().flushNonBlocking(NO_INTEREST);
            } catch (org.openucx.jucx.UcxException e) {
                // Such as that of an endpoint that failed: there is nothing to wait for.
                return true;
            }
        }
        if (flushing.isCompleted()) {
            flushing = null;
        }
        return flushing == null;
    }

    /**
     * With the endpoints closed, by which a flush is cancelled: a worker must not be destroyed before the flush has let go of them.
     */
    private boolean endFlush() {
        for (int i = 0; i < MAX_FLUSH_ROUNDS && flushing != null && !flushing.isCompleted(); i++) {
            progressForClose();
        }
        return flushing == null || flushing.isCompleted();
    }

    private void progressForClose() {
        try {
            worker.progress();
        } catch (Exception e) {
            keep(e);
        }
    }

    @Override
    public int arm() {
        idle();
        return Ucp.ucpWorkerArm(handle);
    }

    @Override
    public void signal() {
        synchronized (signalLock) {
            if (worker != null) {
                worker.signal();
            }
        }
    }

    @Override
    public UcxEndpoint connect(byte[] remoteAddress) throws UcxException {
        UcpWorker open = open();
        if (remoteAddress.length == 0 || remoteAddress.length > LONGEST_ADDRESS) {
            throw new UcxException("worker address of " + remoteAddress.length + " bytes", UcsStatus.ERR_INVALID_ADDR);
        }
        ByteBuffer padded = ByteBuffer.allocateDirect(remoteAddress.length + ADDRESS_PADDING);
        padded.put(0, remoteAddress);
        JucxEndpoint endpoint = new JucxEndpoint(this);
        endpoints.add(endpoint);
        try {
            endpoint.opened(open.newEndpoint(new UcpEndpointParams()
                    .setUcpAddress(padded)
                    .setPeerErrorHandlingMode()
                    .setErrorHandler(endpoint)));
            return endpoint;
        } catch (org.openucx.jucx.UcxException e) {
            endpoints.remove(endpoint);
            throw Statuses.exception("ucp_ep_create", e);
        }
    }

    /** Called by an open endpoint of this worker. */
    int send(UcpEndpoint endpoint, JucxMemory memory, long start, int length, long token) {
        JucxSend send = freeSends.isEmpty() ? newSend() : freeSends.remove(freeSends.size() - 1);
        send.begin(token);
        try {
            // Eager, whatever RNDV_THRESH says: a rendezvous needs a receive buffer.
            endpoint.sendAmNonBlocking(
                    MESSAGE_ID,
                    0,
                    0,
                    start,
                    length,
                    UcpConstants.UCP_AM_SEND_FLAG_EAGER,
                    send,
                    memory.paramsFor(context));
        } catch (org.openucx.jucx.UcxException e) {
            send.failed(Statuses.of(e));
        }
        int status = send.endCall();
        if (status != UcsStatus.INPROGRESS) {
            freeSends.add(send);
        }
        return status;
    }

    private JucxSend newSend() {
        JucxSend send = new JucxSend(this);
        allSends.add(send);
        return send;
    }

    /** Pending sends complete from inside this call. */
    void closeEndpoint(JucxEndpoint endpoint, UcpEndpoint closed) {
        try {
            closed.closeNonBlockingForce();
        } catch (org.openucx.jucx.UcxException e) {
            // UCX has closed it by itself, as it does where it could not connect.
            System.getLogger(JucxWorker.class.getName())
                    .log(System.Logger.Level.DEBUG, "an endpoint was closed already", e);
        }
        endpoints.remove(endpoint);
    }

    /** Closes the endpoints by force, destroys the worker; sends still in progress are cancelled. */
    @Override
    public void close() {
        if (worker == null || closing) {
            return;
        }
        if (callbackDepth != 0) {
            throw new IllegalStateException("a worker cannot be closed from its own listener");
        }
        closing = true;
        for (JucxEndpoint endpoint : new ArrayList<>(endpoints)) {
            endpoint.close();
        }
        if (endFlush()) {
            destroy();
            context.release();
        } else {
            leave();
        }
    }

    /** Better a worker too many, and its context, than a process that ends. */
    private void leave() {
        synchronized (signalLock) {
            worker = null;
        }
        System.getLogger(JucxWorker.class.getName())
                .log(System.Logger.Level.WARNING, "a worker that UCX cannot flush is left behind");
    }

    private void destroy() {
        UcpWorker destroyed = worker;
        synchronized (signalLock) {
            worker = null;
        }
        destroyed.close();
        // From here on UCX holds nothing of ours: what it did not complete is cancelled.
        for (JucxSend send : allSends) {
            send.ended(UcsStatus.ERR_CANCELED);
        }
        if (callbackError != null) {
            System.getLogger(JucxWorker.class.getName())
                    .log(System.Logger.Level.WARNING, "a listener failed while its worker was closed", callbackError);
        }
    }

    /** Nothing is thrown into JUCX, which would call on with an exception pending. */
    private int messageArrived(UcpAmData data) {
        callbackDepth++;
        try {
            if (!data.isDataValid() || data.getLength() > Views.LONGEST) {
                throw new IllegalStateException("a message of " + data.getLength()
                        + " bytes was dropped: its sender uses rendezvous, which ucxnio never does");
            }
            if (!closing) {
                message.wrap(data.getDataAddress(), (int) data.getLength());
                listener.onMessage(message);
            }
        } catch (Throwable t) {
            keep(t);
        } finally {
            message.clear();
            callbackDepth--;
        }
        return STATUS.UCS_OK;
    }

    void sendCompleted(JucxSend send, int status) {
        callbackDepth++;
        try {
            long token = send.token();
            // Before the listener, which may send again.
            freeSends.add(send);
            listener.onSendCompleted(token, status);
        } catch (Throwable t) {
            keep(t);
        } finally {
            callbackDepth--;
        }
    }

    void endpointFailed(JucxEndpoint endpoint, int status) {
        if (!endpoints.contains(endpoint)) {
            return;
        }
        callbackDepth++;
        try {
            listener.onEndpointFailed(endpoint, status);
        } catch (Throwable t) {
            keep(t);
        } finally {
            callbackDepth--;
        }
    }

    private void keep(Throwable thrown) {
        if (callbackError == null) {
            callbackError = thrown;
        } else if (callbackError != thrown) {
            callbackError.addSuppressed(thrown);
        }
    }

    private void throwCallbackError() {
        Throwable thrown = callbackError;
        callbackError = null;
        if (thrown instanceof Error) {
            throw (Error) thrown;
        }
        throw thrown instanceof RuntimeException ? (RuntimeException) thrown : new IllegalStateException(thrown);
    }

    /** The worker, for functions that UCX does not allow inside a callback. */
    private UcpWorker idle() {
        if (callbackDepth != 0) {
            throw new IllegalStateException("not allowed from the worker's own listener");
        }
        return open();
    }

    private UcpWorker open() {
        UcpWorker current = worker;
        if (current == null || closing) {
            throw new IllegalStateException("the UCX worker is closed");
        }
        return current;
    }
}
