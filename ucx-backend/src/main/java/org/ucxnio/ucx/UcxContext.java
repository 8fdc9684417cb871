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

    /** The transports and devices this context can use, one {@code transport/device} each, such as {@code posix/memory}. */
    List<String> transports();

    /** Closes the context. Workers and memory must be closed before. */
    @Override
    void close();
}
