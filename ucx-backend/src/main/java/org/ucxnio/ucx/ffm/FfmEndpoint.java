package org.ucxnio.ucx.ffm;

import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.library.InfoParser;

/** A {@code ucp_ep_h}; its worker does the work. */
final class FfmEndpoint implements UcxEndpoint {
    private final FfmWorker worker;

    /** Names this endpoint in the argument of UCX's error handler. */
    final int id;

    // 0 when closed.
    private long handle;

    // Why UCX declared the endpoint broken, or OK. Later sends do not reach UCX, which would queue some of them.
    private int failure = UcsStatus.OK;

    FfmEndpoint(FfmWorker worker, int id) {
        this.worker = worker;
        this.id = id;
    }

    void opened(long endpointHandle) {
        handle = endpointHandle;
    }

    void failed(int status) {
        failure = status;
    }

    @Override
    public int send(NativeMemory memory, int offset, int length, long token) {
        FfmMemory block = (FfmMemory) memory;
        long address = block.at(offset, length);
        if (handle == 0) {
            return UcsStatus.ERR_NOT_CONNECTED;
        }
        if (failure != UcsStatus.OK) {
            return failure;
        }
        return worker.send(handle, block, address, length, token);
    }

    @Override
    public String lanes() {
        long endpoint = handle;
        return endpoint == 0 ? "" : InfoParser.lanes(Printed.by(stream -> Ucp.endpointPrintInfo(endpoint, stream)));
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
