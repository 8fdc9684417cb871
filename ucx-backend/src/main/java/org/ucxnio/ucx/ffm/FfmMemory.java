package org.ucxnio.ucx.ffm;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.ucxnio.posix.ffm.LibC;
import org.ucxnio.posix.ffm.Raw;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxException;

/**
 * Anonymous mapped memory, so that closing is one system call: an {@code Arena.ofShared} would stop every thread of the
 * process. Registered with UCX where its context has transports that need it.
 */
final class FfmMemory implements NativeMemory {
    final FfmContext context;

    // Zero after close, so that every bounds check fails.
    private long address;
    private int size;

    // ucp_mem_h, or 0 where it is not registered.
    private long handle;

    private final ByteBuffer buffer;

    private FfmMemory(FfmContext context, long address, int size, long handle) {
        this.context = context;
        this.address = address;
        this.size = size;
        this.handle = handle;
        this.buffer = Raw.buffer(address, size);
    }

    static FfmMemory allocate(FfmContext context, int sizeBytes, boolean register) throws UcxException {
        if (sizeBytes <= 0) {
            throw new IllegalArgumentException("size must be positive, not " + sizeBytes);
        }
        long address = LibC.map(sizeBytes);
        if (address == 0) {
            throw new UcxException("allocation of " + sizeBytes + " bytes", UcsStatus.ERR_NO_MEMORY);
        }
        if (!register) {
            return new FfmMemory(context, address, sizeBytes, 0);
        }
        try {
            context.retain();
            return new FfmMemory(context, address, sizeBytes, context.register(address, sizeBytes));
        } catch (UcxException | RuntimeException e) {
            LibC.unmap(address, sizeBytes);
            throw e;
        }
    }

    /** Where {@code length} bytes at {@code offset} are; out of bounds throws, and so does closed. */
    long at(int offset, int length) {
        Objects.checkFromIndexSize(offset, length, size);
        return address + offset;
    }

    long handle() {
        return handle;
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void close() {
        long freedAddress;
        int freedSize;
        long freedHandle;
        synchronized (this) {
            freedAddress = address;
            freedSize = size;
            freedHandle = handle;
            address = 0;
            size = 0;
            handle = 0;
        }
        if (freedAddress != 0) {
            free(freedAddress, freedSize, freedHandle);
        }
    }

    private void free(long freedAddress, int freedSize, long freedHandle) {
        if (freedHandle != 0) {
            context.unregister(freedHandle);
        }
        LibC.unmap(freedAddress, freedSize);
    }

    @Override
    public synchronized String toString() {
        return size + " bytes, " + (handle != 0 ? "registered" : "not registered");
    }
}
