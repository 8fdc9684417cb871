package org.ucxnio.ucx.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.ucxnio.posix.ffm.LibC;
import org.ucxnio.posix.ffm.Raw;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxWorkerListener;
import org.ucxnio.ucx.library.Outcomes;
import org.ucxnio.ucx.library.SerialWorker;

/** A worker whose callbacks come by way of {@link UcpCallbacks}. */
final class FfmWorker extends SerialWorker {
    private static final int SEND_ATTRIBUTES = UcpLayouts.OP_ATTR_FIELD_CALLBACK
            | UcpLayouts.OP_ATTR_FIELD_USER_DATA
            | UcpLayouts.OP_ATTR_FIELD_FLAGS
            | UcpLayouts.OP_ATTR_FIELD_MEMORY_TYPE;

    /** A send can be made from a callback that runs inside a send, which may still read its parameters. */
    private static final int SEND_LEVELS = 4;

    private static final int CLOSE_PARAM = SEND_LEVELS * UcpLayouts.REQUEST_PARAM_SIZE;
    private static final int FLUSH_PARAM = CLOSE_PARAM + UcpLayouts.REQUEST_PARAM_SIZE;
    private static final int PARAMS_SIZE = FLUSH_PARAM + UcpLayouts.REQUEST_PARAM_SIZE;

    private final long handle;
    private final int index;
    private final int eventFd;
    private final byte[] address;
    private final FfmMessage message = new FfmMessage();
    private final SendSlots sends = new SendSlots(64);
    private final Map<Integer, FfmEndpoint> endpoints = new HashMap<>();

    // Request parameters in native memory: SEND_LEVELS for sends, one to close endpoints, one, all zero, to flush.
    private final long params;

    // A flush that UCX is at; 0 where there is none.
    private long flushing;

    private int nextEndpointId;
    private int sendLevel;

    FfmWorker(FfmContext context, UcxWorkerListener listener) throws UcxException {
        super(context, listener);
        handle = create(context);
        index = UcpCallbacks.register(this);
        params = newParams();
        try (Arena arena = Arena.ofConfined()) {
            setMessageHandler(arena);
            MemorySegment fd = arena.allocate(JAVA_INT);
            Outcomes.check("ucp_worker_get_efd", Ucp.workerGetEventFd(handle, fd.address()));
            eventFd = fd.get(JAVA_INT, 0);
            address = readAddress(arena);
        } catch (UcxException | RuntimeException e) {
            destroy();
            throw e;
        }
    }

    private static long create(FfmContext context) throws UcxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment workerParams = arena.allocate(UcpLayouts.WORKER_PARAMS_SIZE, Long.BYTES);
            workerParams.set(
                    JAVA_LONG,
                    UcpLayouts.WORKER_PARAMS_FIELD_MASK,
                    UcpLayouts.WORKER_PARAM_FIELD_THREAD_MODE | UcpLayouts.WORKER_PARAM_FIELD_EVENTS);
            workerParams.set(JAVA_INT, UcpLayouts.WORKER_PARAMS_THREAD_MODE, UcpLayouts.THREAD_MODE_SERIALIZED);
            // With send events an armed worker is busy for ever while a peer's queue is full; without receive events
            // its descriptor stays readable for ever.
            workerParams.set(JAVA_INT, UcpLayouts.WORKER_PARAMS_EVENTS, UcpLayouts.WAKEUP_RX);
            MemorySegment result = arena.allocate(JAVA_LONG);
            Outcomes.check(
                    "ucp_worker_create", Ucp.workerCreate(context.handle(), workerParams.address(), result.address()));
            return result.get(JAVA_LONG, 0);
        }
    }

    private static long newParams() {
        long params = LibC.allocateZeroed(PARAMS_SIZE);
        for (int level = 0; level < SEND_LEVELS; level++) {
            long param = params + (long) level * UcpLayouts.REQUEST_PARAM_SIZE;
            Raw.putInt(param + UcpLayouts.REQUEST_PARAM_OP_ATTR_MASK, SEND_ATTRIBUTES);
            // Eager, whatever RNDV_THRESH says: a rendezvous needs a receive buffer, and may never complete in 1.13.
            Raw.putInt(param + UcpLayouts.REQUEST_PARAM_FLAGS, UcpLayouts.AM_SEND_FLAG_EAGER);
            Raw.putLong(param + UcpLayouts.REQUEST_PARAM_CB, UcpCallbacks.ON_SEND_COMPLETED);
            Raw.putInt(param + UcpLayouts.REQUEST_PARAM_MEMORY_TYPE, UcpLayouts.MEMORY_TYPE_HOST);
        }
        Raw.putInt(params + CLOSE_PARAM + UcpLayouts.REQUEST_PARAM_OP_ATTR_MASK, UcpLayouts.OP_ATTR_FIELD_FLAGS);
        Raw.putInt(params + CLOSE_PARAM + UcpLayouts.REQUEST_PARAM_FLAGS, UcpLayouts.EP_CLOSE_FLAG_FORCE);
        return params;
    }

    /** Before the address is known to anyone: UCX drops messages without a handler. */
    private void setMessageHandler(Arena arena) throws UcxException {
        MemorySegment handler = arena.allocate(UcpLayouts.AM_HANDLER_PARAM_SIZE, Long.BYTES);
        handler.set(
                JAVA_LONG,
                UcpLayouts.AM_HANDLER_PARAM_FIELD_MASK,
                UcpLayouts.AM_HANDLER_PARAM_FIELD_ID
                        | UcpLayouts.AM_HANDLER_PARAM_FIELD_FLAGS
                        | UcpLayouts.AM_HANDLER_PARAM_FIELD_CB
                        | UcpLayouts.AM_HANDLER_PARAM_FIELD_ARG);
        handler.set(JAVA_INT, UcpLayouts.AM_HANDLER_PARAM_ID, MESSAGE_ID);
        handler.set(JAVA_INT, UcpLayouts.AM_HANDLER_PARAM_FLAGS, UcpLayouts.AM_FLAG_WHOLE_MSG);
        handler.set(JAVA_LONG, UcpLayouts.AM_HANDLER_PARAM_CB, UcpCallbacks.ON_MESSAGE);
        handler.set(JAVA_LONG, UcpLayouts.AM_HANDLER_PARAM_ARG, UcpCallbacks.argument(index, 0));
        Outcomes.check("ucp_worker_set_am_recv_handler", Ucp.workerSetAmHandler(handle, handler.address()));
    }

    private byte[] readAddress(Arena arena) throws UcxException {
        MemorySegment result = arena.allocate(2L * Long.BYTES, Long.BYTES);
        Outcomes.check(
                "ucp_worker_get_address",
                Ucp.workerGetAddress(handle, result.address(), result.address() + Long.BYTES));
        long ucxAddress = result.get(JAVA_LONG, 0);
        byte[] copy = Raw.bytes(ucxAddress, (int) result.get(JAVA_LONG, Long.BYTES));
        Ucp.workerReleaseAddress(handle, ucxAddress);
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
        return Ucp.workerProgress(handle);
    }

    @Override
    public boolean flush() {
        if (flushing != 0) {
            return !isFlushing();
        }
        requireIdle();
        long request = Ucp.workerFlush(handle, params + FLUSH_PARAM);
        // A status, such as that of an endpoint that failed: there is nothing to wait for.
        flushing = Ucp.isRequest(request) ? request : 0;
        return flushing == 0;
    }

    @Override
    protected boolean isFlushing() {
        if (flushing != 0 && Ucp.requestStatus(flushing) != UcsStatus.INPROGRESS) {
            Ucp.requestFree(flushing);
            flushing = 0;
        }
        return flushing != 0;
    }

    @Override
    public int arm() {
        requireIdle();
        return Ucp.workerArm(handle);
    }

    @Override
    protected void wake() {
        Ucp.workerSignal(handle);
    }

    @Override
    public UcxEndpoint connect(byte[] remoteAddress) throws UcxException {
        requireConnectable(remoteAddress);
        FfmEndpoint endpoint = new FfmEndpoint(this, newEndpointId());
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment blob = padded(arena, remoteAddress);
            MemorySegment endpointParams = arena.allocate(UcpLayouts.EP_PARAMS_SIZE, Long.BYTES);
            endpointParams.set(
                    JAVA_LONG,
                    UcpLayouts.EP_PARAMS_FIELD_MASK,
                    UcpLayouts.EP_PARAM_FIELD_REMOTE_ADDRESS
                            | UcpLayouts.EP_PARAM_FIELD_ERR_HANDLING_MODE
                            | UcpLayouts.EP_PARAM_FIELD_ERR_HANDLER);
            endpointParams.set(JAVA_LONG, UcpLayouts.EP_PARAMS_ADDRESS, blob.address());
            endpointParams.set(JAVA_INT, UcpLayouts.EP_PARAMS_ERR_MODE, UcpLayouts.ERR_HANDLING_MODE_PEER);
            endpointParams.set(JAVA_LONG, UcpLayouts.EP_PARAMS_ERR_HANDLER_CB, UcpCallbacks.ON_ENDPOINT_FAILED);
            endpointParams.set(
                    JAVA_LONG, UcpLayouts.EP_PARAMS_ERR_HANDLER_ARG, UcpCallbacks.argument(index, endpoint.id));
            MemorySegment result = arena.allocate(JAVA_LONG);
            endpoints.put(endpoint.id, endpoint);
            int status = Ucp.endpointCreate(handle, endpointParams.address(), result.address());
            if (status != UcsStatus.OK) {
                endpoints.remove(endpoint.id);
                throw new UcxException("ucp_ep_create", status);
            }
            endpoint.opened(result.get(JAVA_LONG, 0));
            return endpoint;
        }
    }

    /** Ids are not reused while 32 bits last, so that a late error report cannot hit another endpoint. */
    private int newEndpointId() {
        do {
            nextEndpointId++;
        } while (endpoints.containsKey(nextEndpointId));
        return nextEndpointId;
    }

    private static MemorySegment padded(Arena arena, byte[] remoteAddress) {
        MemorySegment copy = arena.allocate(remoteAddress.length + ADDRESS_PADDING, Long.BYTES);
        MemorySegment.copy(remoteAddress, 0, copy, ValueLayout.JAVA_BYTE, 0, remoteAddress.length);
        return copy;
    }

    /** Called by an open endpoint of this worker. */
    int send(long endpoint, FfmMemory memory, long start, int length, long token) {
        int slot = sends.take(token);
        int level = sendLevel++ & SEND_LEVELS - 1;
        long param = params + (long) level * UcpLayouts.REQUEST_PARAM_SIZE;
        Raw.putLong(param + UcpLayouts.REQUEST_PARAM_USER_DATA, UcpCallbacks.argument(index, slot));
        if (context.registersMemory()) {
            long registration = memory.handleFor(context);
            Raw.putLong(param + UcpLayouts.REQUEST_PARAM_MEMH, registration);
            Raw.putInt(
                    param + UcpLayouts.REQUEST_PARAM_OP_ATTR_MASK,
                    registration != 0 ? SEND_ATTRIBUTES | UcpLayouts.OP_ATTR_FIELD_MEMH : SEND_ATTRIBUTES);
        }
        long result = Ucp.sendMessage(endpoint, MESSAGE_ID, start, length, param);
        sendLevel--;
        if (Ucp.isRequest(result)) {
            return UcsStatus.INPROGRESS;
        }
        // Null or a status: UCX does not call back.
        sends.release(slot);
        return (int) result;
    }

    /** Pending sends complete from inside this call. */
    void closeEndpoint(FfmEndpoint endpoint, long endpointHandle) {
        long request = Ucp.endpointClose(endpointHandle, params + CLOSE_PARAM);
        if (Ucp.isRequest(request)) {
            Ucp.requestFree(request);
        }
        endpoints.remove(endpoint.id);
    }

    @Override
    protected Collection<FfmEndpoint> endpoints() {
        return endpoints.values();
    }

    @Override
    protected void destroy() {
        Ucp.workerDestroy(handle);
        // From here on UCX holds nothing of ours: what it did not complete is cancelled, and the slot can be reused.
        for (int slot = 0; slot < sends.capacity(); slot++) {
            if (sends.isTaken(slot)) {
                sendCompleted(slot, UcsStatus.ERR_CANCELED);
            }
        }
        UcpCallbacks.unregister(index);
        LibC.free(params);
    }

    void messageArrived(long data, long length, long attributes) {
        if ((attributes & UcpLayouts.AM_RECV_ATTR_FLAG_RNDV) != 0 || length > Integer.MAX_VALUE) {
            calls.messageDropped(length);
        } else if (isOpen()) {
            message.wrap(data, (int) length);
            try {
                calls.message(message);
            } finally {
                message.wrap(0, 0);
            }
        }
    }

    void sendCompleted(int slot, int status) {
        calls.sendCompleted(sends.release(slot), status);
    }

    void endpointFailed(int endpointId, int status) {
        FfmEndpoint endpoint = endpoints.get(endpointId);
        if (endpoint != null) {
            endpoint.failed(status);
            calls.endpointFailed(endpoint, status);
        }
    }
}
