package org.ucxnio.ucx.ffm;

import java.nio.ByteBuffer;
import org.ucxnio.posix.ffm.Raw;
import org.ucxnio.ucx.MappedMemory;

/** A peer's memory, held by an unpacked remote key of the worker. */
final class FfmMappedMemory implements MappedMemory {
    private final FfmWorker worker;
    private final ByteBuffer buffer;

    // ucp_rkey_h; 0 when closed.
    private long key;

    FfmMappedMemory(FfmWorker worker, long key, long address, int size) {
        this.worker = worker;
        this.key = key;
        this.buffer = Raw.buffer(address, size);
    }

    @Override
    public ByteBuffer buffer() {
        return buffer;
    }

    @Override
    public void close() {
        if (key != 0) {
            Ucp.keyDestroy(key);
            key = 0;
            worker.forget(this);
        }
    }
}
