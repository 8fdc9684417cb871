package org.ucxnio.ucx.ffm;

import org.ucxnio.posix.ffm.Raw;
import org.ucxnio.ucx.library.CountedContext;
import org.ucxnio.ucx.library.MappedMemory;

/** Mapped memory, with a {@code ucp_mem_h} where it is registered. */
final class FfmMemory extends MappedMemory<FfmContext> {
    // 0 where it is not registered.
    private long handle;

    FfmMemory(FfmContext context, long address, int size, long handle) {
        super(context, address, size, Raw.buffer(address, size));
        this.handle = handle;
    }

    /** What a send over a context says of this memory: its {@code ucp_mem_h}, or 0 where it has none there. */
    long handleFor(CountedContext sending) {
        return sending == context ? handle : 0;
    }

    @Override
    protected boolean isRegistered() {
        return handle != 0;
    }

    @Override
    protected void deregister() {
        Ucp.memoryUnmap(context.handle(), handle);
        handle = 0;
    }
}
