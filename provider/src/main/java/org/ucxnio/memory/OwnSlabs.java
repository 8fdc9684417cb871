package org.ucxnio.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.ucxnio.ring.Block;

/**
 * The slabs that this process made for one peer, and the blocks they are cut into. Not thread-safe: {@link SessionMemory} holds its
 * lock. Blocks are cut off the newest slab, and once cut keep their size: no two free blocks are joined.
 */
final class OwnSlabs {
    /** The first slab of a session: that of a pair with nothing to say is to be cheap. */
    private static final int FIRST_BYTES = 64 << 10;

    /** Later slabs, the larger the more there are already: each costs both processes a mapping. */
    private static final int SECOND_BYTES = 256 << 10;

    private static final int GROWTH = 4;

    /** A session that holds this many slabs of a size makes the next ones larger. */
    private static final int SLABS_OF_A_SIZE = 16;

    /** Retired blocks looked at in one go. The others have their turn at the next. */
    private static final int LOOKS = 16;

    private final SlabFiles files;
    private final String prefix;
    private final MemoryBudget budget;
    private final IntConsumer made;

    private final List<ArrayDeque<Block>> free = new ArrayList<>(BlockSize.CLASSES);
    private final List<ArrayDeque<Block>> retired = new ArrayList<>(BlockSize.CLASSES);
    private final List<Integer> numbers = new ArrayList<>();
    private long held;

    /** The newest slab, and where its uncut rest begins. */
    private ByteBuffer newest;

    private int rest;

    /** @param made is told the number of each slab that was made; must not wait */
    OwnSlabs(SlabFiles files, byte[] token, MemoryBudget budget, IntConsumer made) {
        this.files = files;
        this.prefix = SlabName.prefix(token);
        this.budget = budget;
        this.made = made;
        for (int i = 0; i < BlockSize.CLASSES; i++) {
            free.add(new ArrayDeque<>());
            retired.add(new ArrayDeque<>());
        }
    }

    /** See {@link org.ucxnio.ring.RingMemory#allocate}. */
    Block allocate(int bytes) throws IOException {
        int sizeClass = BlockSize.classOf(bytes);
        Block used = free.get(sizeClass).poll();
        if (used == null) {
            used = reap(retired.get(sizeClass));
        }
        if (used != null) {
            used.clear();
            return used;
        }
        return (newest != null && rest + bytes <= newest.capacity()) || makeSlab(bytes) ? cut(bytes) : null;
    }

    private static Block reap(ArrayDeque<Block> blocks) {
        for (int looks = Math.min(LOOKS, blocks.size()); looks > 0; looks--) {
            Block block = blocks.poll();
            if (block.isReaderDone()) {
                return block;
            }
            blocks.add(block);
        }
        return null;
    }

    void retire(Block block) {
        retired.get(BlockSize.classOf(block)).add(block);
    }

    void free(Block block) {
        // A block that was handed out looks used: it is zeroed again when it is taken again.
        free.get(BlockSize.classOf(block)).add(block);
    }

    private Block cut(int bytes) {
        Block block = new Block(
                numbers.get(numbers.size() - 1), rest, newest.slice(rest, bytes).order(ByteOrder.nativeOrder()));
        rest += bytes;
        return block;
    }

    private boolean makeSlab(int blockBytes) throws IOException {
        int wanted = Math.max(blockBytes, usualBytes());
        int least = Math.max(blockBytes, FIRST_BYTES);
        int bytes = budget.take(wanted) ? wanted : budget.take(least) ? least : 0;
        if (bytes == 0) {
            budget.missed("ucxnio.memory lets this process have " + budget.limit() + " bytes");
            return false;
        }
        ByteBuffer slab = null;
        int number = budget.nextSlab();
        try {
            slab = map(number, bytes);
        } catch (IOException e) {
            budget.missed(e.getMessage());
            throw e;
        } finally {
            if (slab == null) {
                budget.giveBack(bytes);
            }
        }
        keepRest();
        held += bytes;
        numbers.add(number);
        newest = slab;
        rest = 0;
        try {
            made.accept(number);
        } catch (OutOfMemoryError e) {
            // The peer is told by the record that names it.
        }
        return true;
    }

    private ByteBuffer map(int number, int bytes) throws IOException {
        if (number < 0 || !budget.takeMapping()) {
            throw new IOException("this process has too many slabs");
        }
        ByteBuffer slab = null;
        try {
            slab = SlabFile.make(files, prefix + number, bytes);
            return slab;
        } finally {
            if (slab == null) {
                budget.giveBackMappings(1);
            }
        }
    }

    private int usualBytes() {
        if (held == 0) {
            return FIRST_BYTES;
        }
        int bytes = SECOND_BYTES;
        while (bytes < SlabFile.MAX_BYTES && held >= (long) bytes * SLABS_OF_A_SIZE) {
            bytes *= GROWTH;
        }
        return bytes;
    }

    /** What is left of the newest slab and too small for what is wanted becomes smaller blocks. */
    private void keepRest() {
        for (int sizeClass = BlockSize.CLASSES - 1; newest != null && sizeClass >= 0; sizeClass--) {
            int bytes = BlockSize.bytes(sizeClass);
            while (rest + bytes <= newest.capacity()) {
                free.get(sizeClass).add(cut(bytes));
            }
        }
    }

    /** The session is over: what has a name still loses it, and the budget is given back. */
    void end() {
        for (int i = 0; i < numbers.size(); i++) {
            try {
                files.delete(prefix + numbers.get(i));
            } catch (IOException | OutOfMemoryError e) {
                // The directory is gone, or not ours any more. Leftovers are swept by another process.
            }
        }
        budget.giveBack(held);
        budget.giveBackMappings(numbers.size());
        held = 0;
        numbers.clear();
        newest = null;
        free.forEach(ArrayDeque::clear);
        retired.forEach(ArrayDeque::clear);
    }
}
