package org.ucxnio.ucx.jucx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpMemory;
import org.openucx.jucx.ucp.UcpRequestParams;
import org.openucx.jucx.ucs.UcsConstants.MEMORY_TYPE;
import org.ucxnio.posix.jna.JnaLibC;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxException;

/** Anonymous mapped memory, so that closing is one system call. Registered with UCX where its context has transports that need it. */
final class JucxMemory implements NativeMemory {
    /** JUCX's default says that the type is unknown, by a number that moves from version to version. */
    private static final UcpRequestParams UNREGISTERED =
            new UcpRequestParams().setMemoryType(MEMORY_TYPE.UCS_MEMORY_TYPE_HOST);

    private final JucxContext context;

    // Zero after close, so that every bounds check fails.
    private long address;
    private int size;

    // Null where it is not registered.
    private UcpMemory registration;

    private final UcpRequestParams params;
    private final ByteBuffer buffer;

    private JucxMemory(JucxContext context, long address, int size, UcpMemory registration) {
        this.context = context;
        this.address = address;
        this.size = size;
        this.registration = registration;
        this.params = registration == null
                ? UNREGISTERED
                : new UcpRequestParams()
                        .setMemoryType(MEMORY_TYPE.UCS_MEMORY_TYPE_HOST)
                        .setMemoryHandle(registration);
        this.buffer = UcxUtils.getByteBufferView(address, size).order(ByteOrder.nativeOrder());
    }

    static JucxMemory allocate(JucxContext context, int sizeBytes, boolean register) throws UcxException {
        if (sizeBytes <= 0) {
            throw new IllegalArgumentException("size must be positive, not " + sizeBytes);
        }
        long address = JnaLibC.map(sizeBytes);
        if (address == 0) {
            throw new UcxException("allocation of " + sizeBytes + " bytes", UcsStatus.ERR_NO_MEMORY);
        }
        if (!register) {
            return new JucxMemory(context, address, sizeBytes, null);
        }
        try {
            context.retain();
            return new JucxMemory(context, address, sizeBytes, context.register(address, sizeBytes));
        } catch (UcxException | RuntimeException e) {
            JnaLibC.unmap(address, sizeBytes);
            throw e;
        }
    }

    /** Where {@code length} bytes at {@code offset} are; out of bounds throws, and so does closed. */
    long at(int offset, int length) {
        Objects.checkFromIndexSize(offset, length, size);
        return address + offset;
    }

    /** What a send over a context says of this memory: only a registration of that very context means anything to UCX. */
    UcpRequestParams paramsFor(JucxContext sending) {
        return sending == context ? params : UNREGISTERED;
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void close() {
        long freedAddress;
        int freedSize;
        UcpMemory freed;
        synchronized (this) {
            freedAddress = address;
            freedSize = size;
            freed = registration;
            address = 0;
            size = 0;
            registration = null;
        }
        if (freed != null) {
            context.unregister(freed);
        }
        if (freedAddress != 0) {
            JnaLibC.unmap(freedAddress, freedSize);
        }
    }

    @Override
    public synchronized String toString() {
        return size + " bytes, " + (registration != null ? "registered" : "not registered");
    }
}
