package org.ucxnio.ucx.jucx;

import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointErrorHandler;
import org.ucxnio.posix.jna.JnaLibC;
import org.ucxnio.ucx.library.GuardedEndpoint;
import org.ucxnio.ucx.library.MappedMemory;

/** A {@link UcpEndpoint}; its worker does the work. */
final class JucxEndpoint extends GuardedEndpoint implements UcpEndpointErrorHandler {
    private final JucxWorker worker;

    // Null when closed. JUCX itself holds the object weakly and tells of no failure once it is gone.
    private UcpEndpoint handle;

    JucxEndpoint(JucxWorker worker) {
        this.worker = worker;
    }

    void opened(UcpEndpoint endpoint) {
        handle = endpoint;
    }

    @Override
    public void onError(UcpEndpoint endpoint, int status, String message) {
        int failure = Statuses.failed(status);
        failed(failure);
        worker.endpointFailed(this, failure);
    }

    @Override
    protected boolean isOpen() {
        return handle != null;
    }

    @Override
    protected int transmit(MappedMemory<?> memory, long address, int length, long token) {
        return worker.send(handle, (JucxMemory) memory, address, length, token);
    }

    @Override
    protected String printedInfo() {
        long endpoint = handle.getNativeId();
        return JnaLibC.printed(stream -> Ucp.ucpEpPrintInfo(endpoint, stream));
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
