package org.ucxnio.transport;

import org.ucxnio.ucx.UcxMessage;

/** A connection as its worker and the transport see it. With the worker's lock held, but for {@link #flushForExit}. */
interface BoundConnection {
    /** Its number at the worker, which messages name. */
    int localId();

    void onMessage(UcxMessage message, int typeAndLength);

    void onSendCompleted(int status);

    void onLinkFailed(Link broken, int status);

    /** Marks it for {@link #afterProgress}; false when it was already. */
    boolean markForAfterProgress();

    /** What messages and completions of the last progress have left to do. */
    void afterProgress();

    /** An error that this connection brought about breaks it, and nothing else. */
    void broke(Throwable error);

    void fail(String reason);

    boolean isCountedAsFailed();

    /** At the exit of the JVM: sends what can be sent and says where the stream ends. Returns whether nothing is left to do. */
    boolean flushForExit(boolean lastCall);
}
