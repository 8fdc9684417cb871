package org.ucxnio.ucx.ffm;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import org.ucxnio.posix.ffm.Raw;
import org.ucxnio.ucx.UcsStatus;

/**
 * What UCX calls: three functions for the whole process, which find their worker through the argument UCX carries for
 * them. A worker's callbacks run on the thread that is inside one of its functions.
 *
 * <p>No exception may leave these methods, as it would end the process; workers keep what their listeners throw.
 */
@SuppressWarnings("restricted")
final class UcpCallbacks {
    // ucs_status_t (*ucp_am_recv_callback_t)(void *arg, const void *header, size_t header_length,
    //         void *data, size_t length, const ucp_am_recv_param_t *param)
    static final long ON_MESSAGE =
            stub("onMessage", Ucp.STATUS, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    // void (*ucp_send_nbx_callback_t)(void *request, ucs_status_t status, void *user_data)
    static final long ON_SEND_COMPLETED = stub("onSendCompleted", null, JAVA_LONG, Ucp.STATUS, JAVA_LONG);

    // void (*ucp_err_handler_cb_t)(void *arg, ucp_ep_h ep, ucs_status_t status)
    static final long ON_ENDPOINT_FAILED = stub("onEndpointFailed", null, JAVA_LONG, JAVA_LONG, Ucp.STATUS);

    private static final int WORKER_SHIFT = 32;

    // Replaced when it grows, changed under the class's lock. A slot is emptied only after ucp_worker_destroy, when UCX
    // holds no argument that names it.
    private static volatile FfmWorker[] workers = new FfmWorker[16];

    private UcpCallbacks() {}

    /** Gives a worker its index, which {@link #argument} packs. */
    static synchronized int register(FfmWorker worker) {
        FfmWorker[] table = workers;
        int index = 0;
        while (index < table.length && table[index] != null) {
            index++;
        }
        if (index == table.length) {
            table = Arrays.copyOf(table, table.length * 2);
        }
        table[index] = worker;
        workers = table;
        return index;
    }

    static synchronized void unregister(int workerIndex) {
        FfmWorker[] table = workers;
        table[workerIndex] = null;
        workers = table;
    }

    /** What UCX hands back to a callback: a worker and 32 bits of its own. */
    static long argument(int workerIndex, int own) {
        return (long) workerIndex << WORKER_SHIFT | own & 0xffffffffL;
    }

    private static FfmWorker worker(long argument) {
        return workers[(int) (argument >>> WORKER_SHIFT)];
    }

    private static byte onMessage(
            long argument, long header, long headerLength, long data, long length, long recvParam) {
        try {
            worker(argument).messageArrived(data, length, Raw.getLong(recvParam + UcpLayouts.AM_RECV_PARAM_RECV_ATTR));
        } catch (Throwable t) {
            reportEscaped(t);
        }
        // The message is done with: its memory is UCX's again.
        return UcsStatus.OK;
    }

    private static void onSendCompleted(long request, byte status, long argument) {
        try {
            Ucp.requestFree(request);
            worker(argument).sendCompleted((int) argument, status);
        } catch (Throwable t) {
            reportEscaped(t);
        }
    }

    private static void onEndpointFailed(long argument, long endpoint, byte status) {
        try {
            worker(argument).endpointFailed((int) argument, status);
        } catch (Throwable t) {
            reportEscaped(t);
        }
    }

    /** Workers keep listeners' exceptions, so this one is a defect here, or a thread at the end of its stack. */
    private static void reportEscaped(Throwable thrown) {
        try {
            System.getLogger(UcpCallbacks.class.getName())
                    .log(System.Logger.Level.ERROR, "an exception in a UCX callback was dropped", thrown);
        } catch (Throwable ignored) {
            // Nothing is left to do, and nothing may leave.
        }
    }

    private static long stub(String method, MemoryLayout result, MemoryLayout... arguments) {
        FunctionDescriptor descriptor =
                result == null ? FunctionDescriptor.ofVoid(arguments) : FunctionDescriptor.of(result, arguments);
        MethodType type = descriptor.toMethodType();
        try {
            return Linker.nativeLinker()
                    .upcallStub(
                            MethodHandles.lookup().findStatic(UcpCallbacks.class, method, type),
                            descriptor,
                            Arena.global())
                    .address();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(method, e);
        }
    }
}
