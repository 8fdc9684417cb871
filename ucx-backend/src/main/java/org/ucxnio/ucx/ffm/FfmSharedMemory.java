package org.ucxnio.ucx.ffm;

import org.ucxnio.ucx.SharedMemory;

/** Memory that UCX allocated, so that it can be mapped by a peer. */
final class FfmSharedMemory extends FfmMemory implements SharedMemory {
    private final long sharedAddress;
    private final byte[] packedKey;

    FfmSharedMemory(FfmContext context, long address, int size, long handle, byte[] packedKey) {
        super(context, address, size, handle);
        this.sharedAddress = address;
        this.packedKey = packedKey;
    }

    @Override
    public long address() {
        return sharedAddress;
    }

    @Override
    public byte[] packedKey() {
        return packedKey.clone();
    }

    @Override
    void free(long freedAddress, int freedSize, long freedHandle) {
        context.unregister(freedHandle);
    }
}
