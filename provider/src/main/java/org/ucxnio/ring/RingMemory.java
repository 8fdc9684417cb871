package org.ucxnio.ring;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The memory for rings between this process and one peer. Thread-safe; not for the path of a byte. */
public interface RingMemory {

    /**
     * Takes a block for a ring that this process writes to.
     *
     * @param bytes 4 KiB x 4^n, at most 4 MiB
     * @return the block, its header and commit words zeroed; null where the process holds as much as it may ({@code ucxnio.memory})
     * @throws IOException where there is no memory, such as a full /dev/shm
     */
    Block allocate(int bytes) throws IOException;

    /** Gives a block back that the peer may still look at: it is used again once its reader has said that it is done. */
    void retire(Block block);

    /** Gives a block back that the peer has never looked at. */
    void free(Block block);

    /**
     * The peer's block of that name, mapped now if need be.
     *
     * @throws IOException where there is no such block, or it cannot be mapped
     */
    ByteBuffer peerBlock(int slab, int offset, int bytes) throws IOException;

    /** Whether the session goes on: the peer's process lives. Once false it stays so, and nobody is woken through memory any more. */
    boolean isAlive();
}
