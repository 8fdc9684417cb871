package org.ucxnio.ucx.ffm;

import java.nio.ByteBuffer;
import org.ucxnio.posix.ffm.Raw;
import org.ucxnio.posix.ffm.SharedFile;
import org.ucxnio.ucx.MappedMemory;

/** A peer's memory. */
final class FfmMappedMemory implements MappedMemory {
    private final FfmContext context;
    private final SharedFile file;
    private final ByteBuffer buffer;
    private boolean closed;

    FfmMappedMemory(FfmContext context, SharedFile file, int size) {
        this.context = context;
        this.file = file;
        this.buffer = Raw.buffer(file.address(), size);
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            file.close();
            context.release();
        }
    }
}
