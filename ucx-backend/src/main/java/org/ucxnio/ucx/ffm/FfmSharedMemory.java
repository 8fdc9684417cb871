package org.ucxnio.ucx.ffm;

import org.ucxnio.posix.ffm.SharedFile;
import org.ucxnio.ucx.SharedMemory;

/** Memory that a peer can map. UCX does not know it, and can send from it all the same. */
final class FfmSharedMemory extends FfmMemory implements SharedMemory {
    private final SharedFile file;

    FfmSharedMemory(FfmContext context, SharedFile file, int size) {
        super(context, file.address(), size, 0);
        this.file = file;
    }

    @Override
    public byte[] packedKey() {
        return file.key();
    }

    @Override
    void free(long freedAddress, int freedSize, long freedHandle) {
        file.close();
        context.release();
    }
}
