package org.ucxnio.ucx.jucx;

import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointErrorHandler;
import org.ucxnio.posix.jna.JnaLibC;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.library.InfoParser;

/** A {@link UcpEndpoint}; its worker does the work. */
final class JucxEndpoint implements UcxEndpoint, UcpEndpointErrorHandler {
    private final JucxWorker worker;

    // Null when closed. JUCX itself holds the object weakly and tells of no failure once it is gone.
    private UcpEndpoint handle;

    // Why UCX declared the endpoint broken, or OK. Later sends do not reach UCX, which would queue some of them.
    private int failure = UcsStatus.OK;

    JucxEndpoint(JucxWorker worker) {
        this.worker = worker;
    }

    void opened(UcpEndpoint endpoint) {
        handle = endpoint;
    }

    @Override
    public void onError(UcpEndpoint endpoint, int status, String message) {
        failure = Statuses.failed(status);
        worker.endpointFailed(this, failure);
    }

    @Override
    public int send(NativeMemory memory, int offset, int length, long token) {
        JucxMemory block = (JucxMemory) memory;
        long address = block.at(offset, length);
        if (handle == null) {
            return UcsStatus.ERR_NOT_CONNECTED;
        }
        if (failure != UcsStatus.OK) {
            return failure;
        }
        return worker.send(handle, block, address, length, token);
    }

    @Override
    public String lanes() {
        if (handle == null) {
            return "";
        }
        long endpoint = handle.getNativeId();
        return InfoParser.lanes(JnaLibC.printed(stream -> Ucp.ucpEpPrintInfo(endpoint, stream)));
    }

    @Override
    public void close() {
        UcpEndpoint endpoint = handle;
        if (endpoint != null) {
            handle = null;
            worker.closeEndpoint(this, endpoint);
        }
    }
}
