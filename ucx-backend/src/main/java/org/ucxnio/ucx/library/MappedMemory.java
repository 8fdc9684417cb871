package org.ucxnio.ucx.library;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.ucxnio.ucx.NativeMemory;

/**
 * Anonymous mapped memory, so that closing is one system call: an {@code Arena.ofShared} would stop every thread of the process.
 * Registered with UCX where its context has transports that need it.
 *
 * @param <C> the context that it may be registered with
 */
public abstract class MappedMemory<C extends CountedContext> implements NativeMemory {
    /** Only a registration of the very context that sends means anything to UCX. */
    protected final C context;

    private final ByteBuffer buffer;

    // Zero after close, so that every bounds check fails.
    private long address;
    private int size;

    /** @param buffer all of the memory, in native order */
    protected MappedMemory(C context, long address, int size, ByteBuffer buffer) {
        this.context = context;
        this.address = address;
        this.size = size;
        this.buffer = buffer;
    }

    /** Where {@code length} bytes at {@code offset} are; out of bounds throws, and so does closed. */
    public final long at(int offset, int length) {
        Objects.checkFromIndexSize(offset, length, size);
        return address + offset;
    }

    @Override
    public final ByteBuffer buffer() {
        return buffer;
    }

    protected abstract boolean isRegistered();

    /** Ends the registration; once, where there is one. */
    protected abstract void deregister();

    @Override
    public final void close() {
        long freedAddress;
        int freedSize;
        synchronized (this) {
            freedAddress = address;
            freedSize = size;
            address = 0;
            size = 0;
        }
        if (freedAddress != 0) {
            free(freedAddress, freedSize);
        }
    }

    private void free(long freedAddress, int freedSize) {
        if (isRegistered()) {
            deregister();
            context.release();
        }
        context.unmap(freedAddress, freedSize);
    }

    @Override
    public final synchronized String toString() {
        return size + " bytes, " + (isRegistered() ? "registered" : "not registered");
    }
}
