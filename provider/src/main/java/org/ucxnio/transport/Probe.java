package org.ucxnio.transport;

import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxMessage;
import org.ucxnio.ucx.UcxWorkerListener;

/** Listener of a worker that is only made to see whether it can be made. */
enum Probe implements UcxWorkerListener {
    INSTANCE;

    @Override
    public void onMessage(UcxMessage message) {
        // nobody knows the worker's address
    }

    @Override
    public void onSendCompleted(long token, int status) {
        // it sends nothing
    }

    @Override
    public void onEndpointFailed(UcxEndpoint endpoint, int status) {
        // it has none
    }
}
