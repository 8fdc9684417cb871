package org.ucxnio.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import org.ucxnio.ring.Block;

/**
 * The slabs of one peer that this process has mapped. Once mapped a slab needs its name no more, so the name is deleted: that tells the
 * peer, and leaves nothing behind whoever dies. Not thread-safe: {@link SessionMemory} holds its lock.
 */
final class PeerSlabs {
    private final SlabFiles files;
    private final String prefix;
    private final MemoryBudget budget;
    private final Map<Integer, ByteBuffer> mapped = new HashMap<>();
    private int counted;
    private boolean ended;

    PeerSlabs(SlabFiles files, byte[] token, MemoryBudget budget) {
        this.files = files;
        this.prefix = SlabName.prefix(token);
        this.budget = budget;
        budget.reserve().keep();
    }

    /** See {@link org.ucxnio.ring.RingMemory#peerBlock}. */
    ByteBuffer block(int number, int offset, int bytes) throws IOException {
        // Blocks are cut at multiples of the smallest size, which no cache line crosses.
        if (!Block.isSize(bytes) || offset < 0 || offset % Block.MIN_BYTES != 0) {
            throw new IOException("the peer named a block of " + bytes + " bytes at " + offset);
        }
        ByteBuffer slab = slab(number);
        if (offset > slab.capacity() - bytes) {
            throw new IOException("the peer named a block of " + bytes + " bytes at " + offset + " of a slab of "
                    + slab.capacity() + " bytes");
        }
        return slab.slice(offset, bytes).order(ByteOrder.nativeOrder());
    }

    ByteBuffer slab(int number) throws IOException {
        ByteBuffer known = mapped.get(number);
        return known == null ? map(number) : known;
    }

    private ByteBuffer map(int number) throws IOException {
        if (number < 0) {
            throw new IOException("the peer named slab " + number);
        }
        if (!budget.takeMapping()) {
            throw new IOException("this process has mapped too many slabs");
        }
        ByteBuffer slab = null;
        try {
            slab = budget.reserve().with(() -> SlabFile.map(files, prefix + number));
        } finally {
            if (slab == null) {
                budget.giveBackMappings(1);
            }
        }
        mapped.put(number, slab);
        counted++;
        if (ended) {
            end();
        }
        files.delete(prefix + number);
        return slab;
    }

    /** The session is over. What the peer wrote can be read still, so what is mapped stays so. */
    void end() {
        ended = true;
        budget.giveBackMappings(counted);
        counted = 0;
    }
}
