package org.ucxnio.ucx.fake;

import org.ucxnio.ucx.SharedMemory;

/** Shared memory: as all of the fake is one process, any block would do. */
final class FakeSharedMemory extends FakeMemory implements SharedMemory {
    private final FakeUcx ucx;
    private final int id;

    FakeSharedMemory(FakeUcx ucx, int sizeBytes) {
        super(ucx, sizeBytes);
        this.ucx = ucx;
        this.id = ucx.register(this);
    }

    @Override
    public byte[] packedKey() {
        return FakeUcx.name(id, 'K');
    }

    @Override
    public void close() {
        ucx.unregister(id);
        super.close();
    }
}
