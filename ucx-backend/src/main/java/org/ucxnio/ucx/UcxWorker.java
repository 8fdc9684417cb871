package org.ucxnio.ucx;

/** A UCP worker. Calls are serialised by the caller (see {@link UcxContext#createWorker}). */
public interface UcxWorker extends AutoCloseable {

    /** The worker's address, for peers to connect to. */
    byte[] address();

    /** Level-triggered descriptor that becomes readable when an armed worker has events. Any thread. */
    int eventFd();

    /** Advances communication and calls the listener. Returns the number of things done; 0 when there was nothing to do. */
    int progress();

    /**
     * Asks for {@link #eventFd()} to become readable at the next event.
     *
     * @return {@link UcsStatus#OK}, or {@link UcsStatus#ERR_BUSY} when there are events already: progress and try again
     */
    int arm();

    /**
     * Whether all that was sent is out of this process's hands: what UCX calls sent may still lie in a buffer of its own. While it is
     * not, {@link #progress} and ask again.
     */
    boolean flush();

    /** Makes the event descriptor readable. Any thread. */
    void signal();

    /**
     * Creates an endpoint in peer error handling mode.
     *
     * @param remoteAddress an address of a <em>trusted</em> peer's worker: a corrupt one can crash the process
     */
    UcxEndpoint connect(byte[] remoteAddress) throws UcxException;

    /** Closes its endpoints by force and destroys the worker. Must not be called from a listener. Idempotent. */
    @Override
    void close();
}
