package org.ucxnio.ucx.ffm;

import org.ucxnio.ucx.library.GuardedEndpoint;
import org.ucxnio.ucx.library.MappedMemory;

/** A {@code ucp_ep_h}; its worker does the work. */
final class FfmEndpoint extends GuardedEndpoint {
    private final FfmWorker worker;

    /** Names this endpoint in the argument of UCX's error handler. */
    final int id;

    // 0 when closed.
    private long handle;

    FfmEndpoint(FfmWorker worker, int id) {
        this.worker = worker;
        this.id = id;
    }

    void opened(long endpointHandle) {
        handle = endpointHandle;
    }

    @Override
    protected boolean isOpen() {
        return handle != 0;
    }

    @Override
    protected int transmit(MappedMemory<?> memory, long address, int length, long token) {
        return worker.send(handle, (FfmMemory) memory, address, length, token);
    }

    @Override
    protected String printedInfo() {
        long endpoint = handle;
        return Printed.by(stream -> Ucp.endpointPrintInfo(endpoint, stream));
    }

    @Override
    public void close() {
        long endpoint = handle;
        if (endpoint != 0) {
            handle = 0;
            worker.closeEndpoint(this, endpoint);
        }
    }
}
