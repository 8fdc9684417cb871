package org.ucxnio.ucx;

/**
 * Hears of a worker's events. Called while a method of the worker runs, on that thread. A listener may send and create or
 * close endpoints; it must not progress, arm or close the worker. An exception it throws is caught and surfaces, once,
 * from the worker's next {@link UcxWorker#progress()}.
 */
public interface UcxWorkerListener {
    void onMessage(UcxMessage message);

    /**
     * A send that was in progress ended.
     *
     * @param token what was given to {@link UcxEndpoint#send}
     * @param status {@link UcsStatus#OK} or why it failed; OK says that the memory may be reused, not that the peer has read
     */
    void onSendCompleted(long token, int status);

    /** The endpoint broke; it can only be closed. */
    void onEndpointFailed(UcxEndpoint endpoint, int status);
}
