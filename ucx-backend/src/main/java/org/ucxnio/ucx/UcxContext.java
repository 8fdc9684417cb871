package org.ucxnio.ucx;

import java.util.List;

/** A UCP context: transports, memory and workers. Thread-safe. */
public interface UcxContext extends AutoCloseable {

    /**
     * Creates a worker whose calls the caller serialises (UCX thread mode {@code SERIALIZED}): every method of the worker
     * and of its endpoints is called under one lock of the caller's, {@link UcxWorker#signal()} and
     * {@link UcxWorker#eventFd()} excepted.
     *
     * @param listener called on the thread that calls a method of the worker or its endpoints, never concurrently
     */
    UcxWorker createWorker(UcxWorkerListener listener) throws UcxException;

    /** Allocates zeroed, page-aligned memory outside the heap, registered with the context's transports. */
    NativeMemory allocate(int sizeBytes) throws UcxException;

    /**
     * Allocates memory that a peer on the same host can map ({@link #map}). Needs
     * {@link UcxCapability#SHARED_MEMORY}.
     */
    SharedMemory allocateShared(int sizeBytes) throws UcxException;

    /**
     * Maps memory that a peer allocated with {@link #allocateShared} into this process. The key may be anything, and the peer may
     * die at any moment.
     *
     * @throws UcxException with {@link UcsStatus#ERR_UNREACHABLE} where it cannot be mapped
     */
    MappedMemory map(byte[] packedKey, int sizeBytes) throws UcxException;

    /** The transports and devices this context can use, one {@code transport/device} each, such as {@code posix/memory}. */
    List<String> transports();

    /** Closes the context. Workers and memory must be closed before. */
    @Override
    void close();
}
