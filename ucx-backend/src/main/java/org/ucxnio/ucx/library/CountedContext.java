package org.ucxnio.ucx.library;

import java.util.List;
import java.util.Set;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxWorker;
import org.ucxnio.ucx.UcxWorkerListener;

/**
 * A {@code ucp_context_h} that counts its workers and its registered memory: UCX would use them after it is gone. Thread-safe, as UCX's
 * functions are where they were told that workers of several threads share a context.
 */
public abstract class CountedContext implements UcxContext {
    /** Transports that copy through memory of the host: registration gains them nothing. */
    private static final Set<String> SHARED_MEMORY = Set.of("posix", "sysv", "self", "cma", "knem", "xpmem");

    /** Opens something that has to be closed before the context is. */
    private interface Opener<T> {
        T open() throws UcxException;
    }

    private final String name;
    private final List<String> transports;
    private final boolean registersMemory;

    // Guarded by this: what UCX wants gone before the context is.
    private int children;
    private boolean closed;

    /** @param printedInfo what {@code ucp_context_print_info} prints */
    protected CountedContext(String name, String printedInfo) {
        this.name = name;
        this.transports = List.copyOf(InfoParser.transports(printedInfo));
        this.registersMemory = transports.stream().anyMatch(transport -> !SHARED_MEMORY.contains(kind(transport)));
    }

    private static String kind(String transport) {
        return transport.substring(0, transport.indexOf('/'));
    }

    /** Whether sends hand UCX the registration of their memory. */
    public final boolean registersMemory() {
        return registersMemory;
    }

    @Override
    public final List<String> transports() {
        return transports;
    }

    @Override
    public final UcxWorker createWorker(UcxWorkerListener listener) throws UcxException {
        return counted(() -> newWorker(listener));
    }

    /** A worker, which is a {@link SerialWorker}. */
    protected abstract UcxWorker newWorker(UcxWorkerListener listener) throws UcxException;

    @Override
    public final NativeMemory allocate(int sizeBytes) throws UcxException {
        if (sizeBytes <= 0) {
            throw new IllegalArgumentException("size must be positive, not " + sizeBytes);
        }
        long address = map(sizeBytes);
        if (address == 0) {
            throw new UcxException("allocation of " + sizeBytes + " bytes", UcsStatus.ERR_NO_MEMORY);
        }
        try {
            return registersMemory
                    ? counted(() -> newMemory(address, sizeBytes, true))
                    : newMemory(address, sizeBytes, false);
        } catch (UcxException | RuntimeException e) {
            unmap(address, sizeBytes);
            throw e;
        }
    }

    /** Zeroed memory at a page's start, or 0. */
    protected abstract long map(long sizeBytes);

    protected abstract void unmap(long address, long sizeBytes);

    /** Memory that was mapped, which is a {@link MappedMemory}. */
    protected abstract NativeMemory newMemory(long address, int sizeBytes, boolean register) throws UcxException;

    private <T> T counted(Opener<T> opener) throws UcxException {
        retain();
        try {
            return opener.open();
        } catch (UcxException | RuntimeException e) {
            release();
            throw e;
        }
    }

    private synchronized void retain() {
        if (closed) {
            throw new IllegalStateException("UCX context '" + name + "' is closed");
        }
        children++;
    }

    /** For a worker, or registered memory, that UCX has let go of. */
    final synchronized void release() {
        children--;
    }

    /** Fails where workers or registered memory are still open. */
    @Override
    public final synchronized void close() {
        if (closed) {
            return;
        }
        if (children > 0) {
            throw new IllegalStateException(
                    "UCX context '" + name + "' still has " + children + " open workers and memory blocks");
        }
        closed = true;
        cleanup();
    }

    /** {@code ucp_cleanup}. */
    protected abstract void cleanup();

    @Override
    public final String toString() {
        return "UCX context '" + name + "' over " + transports;
    }
}
