package org.ucxnio.ucx;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;

/**
 * Status codes of UCX ({@code ucs_status_t}), named as in {@code ucs/type/status.h} without the {@code UCS_} prefix, and
 * the one table that turns them into the exceptions users of NIO expect.
 *
 * <p>Zero is success, {@link #INPROGRESS} is an operation that will complete later, negative values are errors.
 */
public final class UcsStatus {
    /** Done. */
    public static final int OK = 0;

    /** Started; a completion follows. */
    public static final int INPROGRESS = 1;

    public static final int ERR_NO_MESSAGE = -1;
    public static final int ERR_NO_RESOURCE = -2;
    public static final int ERR_IO_ERROR = -3;
    public static final int ERR_NO_MEMORY = -4;
    public static final int ERR_INVALID_PARAM = -5;
    public static final int ERR_UNREACHABLE = -6;
    public static final int ERR_INVALID_ADDR = -7;
    public static final int ERR_NOT_IMPLEMENTED = -8;
    public static final int ERR_MESSAGE_TRUNCATED = -9;
    public static final int ERR_NO_PROGRESS = -10;
    public static final int ERR_BUFFER_TOO_SMALL = -11;
    public static final int ERR_NO_ELEM = -12;
    public static final int ERR_SOME_CONNECTS_FAILED = -13;
    public static final int ERR_NO_DEVICE = -14;
    public static final int ERR_BUSY = -15;
    public static final int ERR_CANCELED = -16;
    public static final int ERR_SHMEM_SEGMENT = -17;
    public static final int ERR_ALREADY_EXISTS = -18;
    public static final int ERR_OUT_OF_RANGE = -19;
    public static final int ERR_TIMED_OUT = -20;
    public static final int ERR_EXCEEDS_LIMIT = -21;
    public static final int ERR_UNSUPPORTED = -22;
    public static final int ERR_REJECTED = -23;
    public static final int ERR_NOT_CONNECTED = -24;
    public static final int ERR_CONNECTION_RESET = -25;
    public static final int ERR_FIRST_LINK_FAILURE = -40;
    public static final int ERR_LAST_LINK_FAILURE = -59;
    public static final int ERR_FIRST_ENDPOINT_FAILURE = -60;
    public static final int ERR_ENDPOINT_TIMEOUT = -80;
    public static final int ERR_LAST_ENDPOINT_FAILURE = -89;
    public static final int ERR_LAST = -100;

    private UcsStatus() {}

    /** Whether the status is an error, that is, negative. */
    public static boolean isError(int status) {
        return status < 0;
    }

    /** Name and meaning of a status, such as {@code ERR_UNREACHABLE (destination is unreachable)}. */
    public static String describe(int status) {
        return name(status) + " (" + meaning(status) + ")";
    }

    /** Name of a status as in UCX's header, without its {@code UCS_} prefix; {@code STATUS_n} for an unknown one. */
    public static String name(int status) {
        return switch (status) {
            case OK -> "OK";
            case INPROGRESS -> "INPROGRESS";
            case ERR_NO_MESSAGE -> "ERR_NO_MESSAGE";
            case ERR_NO_RESOURCE -> "ERR_NO_RESOURCE";
            case ERR_IO_ERROR -> "ERR_IO_ERROR";
            case ERR_NO_MEMORY -> "ERR_NO_MEMORY";
            case ERR_INVALID_PARAM -> "ERR_INVALID_PARAM";
            case ERR_UNREACHABLE -> "ERR_UNREACHABLE";
            case ERR_INVALID_ADDR -> "ERR_INVALID_ADDR";
            case ERR_NOT_IMPLEMENTED -> "ERR_NOT_IMPLEMENTED";
            case ERR_MESSAGE_TRUNCATED -> "ERR_MESSAGE_TRUNCATED";
            case ERR_NO_PROGRESS -> "ERR_NO_PROGRESS";
            case ERR_BUFFER_TOO_SMALL -> "ERR_BUFFER_TOO_SMALL";
            case ERR_NO_ELEM -> "ERR_NO_ELEM";
            case ERR_SOME_CONNECTS_FAILED -> "ERR_SOME_CONNECTS_FAILED";
            case ERR_NO_DEVICE -> "ERR_NO_DEVICE";
            case ERR_BUSY -> "ERR_BUSY";
            case ERR_CANCELED -> "ERR_CANCELED";
            case ERR_SHMEM_SEGMENT -> "ERR_SHMEM_SEGMENT";
            case ERR_ALREADY_EXISTS -> "ERR_ALREADY_EXISTS";
            case ERR_OUT_OF_RANGE -> "ERR_OUT_OF_RANGE";
            case ERR_TIMED_OUT -> "ERR_TIMED_OUT";
            case ERR_EXCEEDS_LIMIT -> "ERR_EXCEEDS_LIMIT";
            case ERR_UNSUPPORTED -> "ERR_UNSUPPORTED";
            case ERR_REJECTED -> "ERR_REJECTED";
            case ERR_NOT_CONNECTED -> "ERR_NOT_CONNECTED";
            case ERR_CONNECTION_RESET -> "ERR_CONNECTION_RESET";
            case ERR_FIRST_LINK_FAILURE -> "ERR_FIRST_LINK_FAILURE";
            case ERR_LAST_LINK_FAILURE -> "ERR_LAST_LINK_FAILURE";
            case ERR_FIRST_ENDPOINT_FAILURE -> "ERR_FIRST_ENDPOINT_FAILURE";
            case ERR_ENDPOINT_TIMEOUT -> "ERR_ENDPOINT_TIMEOUT";
            case ERR_LAST_ENDPOINT_FAILURE -> "ERR_LAST_ENDPOINT_FAILURE";
            case ERR_LAST -> "ERR_LAST";
            default -> "STATUS_" + status;
        };
    }

    /**
     * The exception that a user of NIO expects for a failed operation.
     *
     * @param operation what was being done, such as {@code write}
     * @param status a negative status
     * @param peer the other side as the user knows it, such as {@code /10.1.0.2:8080}; empty where there is none
     */
    public static IOException toIOException(String operation, int status, String peer) {
        String where = operation + (peer.isEmpty() ? "" : " " + peer) + ", UCX " + name(status);
        if (isEndpointFailure(status) || isLinkFailure(status)) {
            return new SocketException("Connection reset (" + where + ")");
        }
        return switch (status) {
            case ERR_CONNECTION_RESET -> new SocketException("Connection reset (" + where + ")");
            case ERR_CANCELED -> new SocketException("Connection closed (" + where + ")");
            case ERR_NOT_CONNECTED -> new SocketException("Not connected (" + where + ")");
            case ERR_REJECTED -> new ConnectException("Connection refused (" + where + ")");
            case ERR_SHMEM_SEGMENT ->
                new ConnectException("Shared memory of the peer is not reachable (" + where + ")");
            case ERR_INVALID_ADDR -> new ConnectException("Peer's UCX address is not valid (" + where + ")");
            case ERR_UNREACHABLE -> new NoRouteToHostException("No route to host (" + where + ")");
            case ERR_TIMED_OUT -> new SocketTimeoutException("Timed out (" + where + ")");
            case ERR_NO_MEMORY, ERR_NO_RESOURCE, ERR_EXCEEDS_LIMIT ->
                new SocketException("No buffer space available (" + where + ": " + meaning(status) + ")");
            default -> new IOException(operation + (peer.isEmpty() ? "" : " " + peer) + ": UCX " + describe(status));
        };
    }

    /** Whether the status lies in UCX's range of endpoint failures, which includes {@link #ERR_ENDPOINT_TIMEOUT}. */
    public static boolean isEndpointFailure(int status) {
        return status <= ERR_FIRST_ENDPOINT_FAILURE && status >= ERR_LAST_ENDPOINT_FAILURE;
    }

    private static boolean isLinkFailure(int status) {
        return status <= ERR_FIRST_LINK_FAILURE && status >= ERR_LAST_LINK_FAILURE;
    }

    private static String meaning(int status) {
        return switch (status) {
            case OK -> "success";
            case INPROGRESS -> "operation in progress";
            case ERR_NO_MESSAGE -> "no pending message";
            case ERR_NO_RESOURCE -> "no resources are available to start the operation";
            case ERR_IO_ERROR -> "input/output error";
            case ERR_NO_MEMORY -> "out of memory";
            case ERR_INVALID_PARAM -> "invalid parameter";
            case ERR_UNREACHABLE -> "destination is unreachable";
            case ERR_INVALID_ADDR -> "address is not valid";
            case ERR_NOT_IMPLEMENTED -> "not implemented";
            case ERR_MESSAGE_TRUNCATED -> "message truncated";
            case ERR_NO_PROGRESS -> "no progress";
            case ERR_BUFFER_TOO_SMALL -> "provided buffer is too small";
            case ERR_NO_ELEM -> "no such element";
            case ERR_SOME_CONNECTS_FAILED -> "failed to connect some of the requested endpoints";
            case ERR_NO_DEVICE -> "no such device";
            case ERR_BUSY -> "device or resource is busy";
            case ERR_CANCELED -> "request canceled";
            case ERR_SHMEM_SEGMENT -> "shared memory error, is /dev/shm full or the peer another user's";
            case ERR_ALREADY_EXISTS -> "element already exists";
            case ERR_OUT_OF_RANGE -> "index out of range";
            case ERR_TIMED_OUT -> "operation timed out";
            case ERR_EXCEEDS_LIMIT -> "user-defined limit was reached";
            case ERR_UNSUPPORTED -> "unsupported operation";
            case ERR_REJECTED -> "operation rejected by the remote peer";
            case ERR_NOT_CONNECTED -> "endpoint is not connected";
            case ERR_CONNECTION_RESET -> "connection reset by the remote peer";
            case ERR_ENDPOINT_TIMEOUT -> "endpoint timeout";
            default ->
                isEndpointFailure(status)
                        ? "endpoint failure"
                        : isLinkFailure(status) ? "link failure" : "unknown status";
        };
    }
}
