package org.ucxnio.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ucxnio.ring.Block;

/** What memory has to know of a ring to use its block again. */
final class BlockHeader {
    /** Where the reader says that it is done: its very last access to the block. */
    static final int READER_DONE = 16;

    /** The header and all commit words of a ring lie in this part of its block. */
    private static final int ZEROED_PART = 2;

    private static final byte[] ZEROS = new byte[16 << 10];
    private static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private BlockHeader() {}

    /**
     * Whether the reader will not look at the block any more. The acquire pairs with the reader's release: nothing that is written to
     * the block from now on can be seen by a read that came before.
     */
    static boolean isReaderDone(Block block) {
        return (int) INTS.getAcquire(block.memory(), READER_DONE) != 0;
    }

    /** Makes a used block look like a new one to who reads it as a ring. The one who hands it to the peer publishes that. */
    static void zero(Block block) {
        ByteBuffer memory = block.memory();
        int end = block.bytes() / ZEROED_PART;
        for (int at = 0; at < end; at += ZEROS.length) {
            memory.put(at, ZEROS, 0, Math.min(ZEROS.length, end - at));
        }
    }
}
