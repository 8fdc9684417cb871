package org.ucxnio.ucx.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ucxnio.posix.ffm.SharedFile;
import org.ucxnio.ucx.MappedMemory;

/** A peer's memory. */
@SuppressWarnings("restricted")
final class FfmMappedMemory implements MappedMemory {
    private final FfmContext context;
    private final SharedFile file;
    private final Arena arena = Arena.ofShared();
    private final ByteBuffer buffer;
    private boolean closed;

    FfmMappedMemory(FfmContext context, SharedFile file, int size) {
        this.context = context;
        this.file = file;
        this.buffer = MemorySegment.ofAddress(file.address())
                .reinterpret(size, arena, null)
                .asByteBuffer()
                .order(ByteOrder.nativeOrder());
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            // From here on an access throws, and none is under way.
            arena.close();
            file.close();
            context.release();
        }
    }
}
