package org.ucxnio.ucx;

/** A connection to a worker of a peer. Calls are serialised with its worker's. */
public interface UcxEndpoint extends AutoCloseable {

    /**
     * Sends {@code length} bytes of {@code memory} as one active message, received by
     * {@link UcxWorkerListener#onMessage}. Messages of an endpoint arrive in the order they were sent.
     *
     * @return {@link UcsStatus#OK}: the memory may be reused, there will be no completion;
     *     {@link UcsStatus#INPROGRESS}: the memory must stay unchanged until {@link UcxWorkerListener#onSendCompleted} is
     *     called with {@code token} (never during this call); or a negative status: nothing was sent
     */
    int send(NativeMemory memory, int offset, int length, long token);

    /** The transports this endpoint uses, such as {@code posix/memory}, separated by commas. For reports, not for speed. */
    String lanes();

    /** Closes by force at once; sends still in progress complete with {@link UcsStatus#ERR_CANCELED}. Idempotent. */
    @Override
    void close();
}
