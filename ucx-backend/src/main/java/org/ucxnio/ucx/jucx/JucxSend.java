package org.ucxnio.ucx.jucx;

import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.ucp.UcpRequest;
import org.ucxnio.ucx.UcsStatus;

/**
 * What JUCX tells of the end of a send. JUCX tells it also from inside the send, which then says so itself. Used again and again by its
 * worker, and serialised with it.
 */
final class JucxSend extends UcxCallback {
    private final JucxWorker worker;
    private long token;
    private boolean inCall;
    private boolean pending;

    /** Of a send that ended inside its call; INPROGRESS where none did. */
    private int early;

    JucxSend(JucxWorker worker) {
        this.worker = worker;
    }

    void begin(long sendToken) {
        token = sendToken;
        inCall = true;
        early = UcsStatus.INPROGRESS;
    }

    /** The call is over; returns how the send ended, or INPROGRESS where it has not. */
    int endCall() {
        inCall = false;
        pending = early == UcsStatus.INPROGRESS;
        return early;
    }

    /** JUCX threw out of the call. */
    void failed(int status) {
        early = status;
    }

    /** Whether UCX still has to say how it ended. */
    boolean isPending() {
        return pending;
    }

    long token() {
        return token;
    }

    @Override
    public void onSuccess(UcpRequest request) {
        ended(UcsStatus.OK);
    }

    @Override
    public void onError(int status, String message) {
        ended(Statuses.failed(status));
    }

    /** JUCX is called back once; what it says of a send that has ended already is of no interest. */
    void ended(int status) {
        if (inCall) {
            early = status;
        } else if (pending) {
            pending = false;
            worker.sendCompleted(this, status);
        }
    }
}
