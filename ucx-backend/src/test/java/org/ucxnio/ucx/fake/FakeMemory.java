package org.ucxnio.ucx.fake;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.ucxnio.ucx.NativeMemory;

/** A direct buffer, aligned to pages. */
final class FakeMemory implements NativeMemory {
    private static final int PAGE = 4096;

    private final FakeUcx ucx;
    private final ByteBuffer buffer;
    private boolean closed;

    FakeMemory(FakeUcx ucx, int sizeBytes) {
        this.ucx = ucx;
        // alignedSlice rounds both ends inwards.
        this.buffer = ByteBuffer.allocateDirect((sizeBytes + 2 * PAGE) / PAGE * PAGE + PAGE)
                .alignedSlice(PAGE)
                .slice(0, sizeBytes)
                .order(ByteOrder.nativeOrder());
        ucx.memoryOpened(1);
    }

    /** Fails as a use of freed memory should, where UCX would not notice. */
    ByteBuffer open(int offset, int length) {
        if (closed) {
            throw new IllegalStateException("use of freed memory");
        }
        Objects.checkFromIndexSize(offset, length, buffer.capacity());
        return buffer;
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            ucx.memoryOpened(-1);
        }
    }
}
