package org.ucxnio.ucx.jucx;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
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
import org.ucxnio.ucx.UcxWorkerListener;
import org.ucxnio.ucx.library.SerialWorker;

/** A {@link UcpWorker}. JUCX knows no workers that their caller serialises, so it locks each call once more. */
final class JucxWorker extends SerialWorker {
    private static final UcxCallback NO_INTEREST = new UcxCallback() {
        @Override
        public void onError(int status, String message) {
            // The request says it too.
        }
    };

    private final UcpWorker worker;
    private final long handle;
    private final int eventFd;
    private final byte[] address;
    private final JucxMessage message = new JucxMessage();
    private final Set<JucxEndpoint> endpoints = new LinkedHashSet<>();
    private final ArrayList<JucxSend> freeSends = new ArrayList<>();
    private final List<JucxSend> allSends = new ArrayList<>();

    // A flush that UCX is at; null where there is none.
    private UcpRequest flushing;

    JucxWorker(JucxContext context, UcxWorkerListener listener) {
        super(context, listener);
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
    protected int advance() {
        try {
            return worker.progress();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean flush() {
        if (flushing == null) {
            requireIdle();
            try {
                flushing = worker.flushNonBlocking(NO_INTEREST);
            } catch (org.openucx.jucx.UcxException e) {
                // Such as that of an endpoint that failed: there is nothing to wait for.
                return true;
            }
        }
        return !isFlushing();
    }

    @Override
    protected boolean isFlushing() {
        if (flushing != null && flushing.isCompleted()) {
            flushing = null;
        }
        return flushing != null;
    }

    @Override
    public int arm() {
        requireIdle();
        return Ucp.ucpWorkerArm(handle);
    }

    @Override
    protected void wake() {
        worker.signal();
    }

    @Override
    public UcxEndpoint connect(byte[] remoteAddress) throws UcxException {
        requireConnectable(remoteAddress);
        ByteBuffer padded = ByteBuffer.allocateDirect(remoteAddress.length + ADDRESS_PADDING);
        padded.put(0, remoteAddress);
        JucxEndpoint endpoint = new JucxEndpoint(this);
        endpoints.add(endpoint);
        try {
            endpoint.opened(worker.newEndpoint(new UcpEndpointParams()
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
        // As sends end nothing is allocated, and nothing thrown into JUCX.
        freeSends.ensureCapacity(allSends.size());
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

    @Override
    protected Collection<JucxEndpoint> endpoints() {
        return endpoints;
    }

    @Override
    protected void destroy() {
        worker.close();
        // From here on UCX holds nothing of ours: what it did not complete is cancelled.
        for (JucxSend send : allSends) {
            send.ended(UcsStatus.ERR_CANCELED);
        }
    }

    /** Nothing is thrown into JUCX, which would call on with an exception pending. */
    private int messageArrived(UcpAmData data) {
        try {
            if (!data.isDataValid() || data.getLength() > Views.LONGEST) {
                calls.messageDropped(data.getLength());
            } else if (isOpen()) {
                message.wrap(data.getDataAddress(), (int) data.getLength());
                calls.message(message);
            }
        } catch (Throwable t) {
            calls.keep(t);
        } finally {
            message.clear();
        }
        return STATUS.UCS_OK;
    }

    void sendCompleted(JucxSend send, int status) {
        long token = send.token();
        // Before the listener, which may send again.
        freeSends.add(send);
        calls.sendCompleted(token, status);
    }

    void endpointFailed(JucxEndpoint endpoint, int status) {
        if (endpoints.contains(endpoint)) {
            calls.endpointFailed(endpoint, status);
        }
    }
}
