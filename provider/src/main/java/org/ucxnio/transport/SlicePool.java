package org.ucxnio.transport;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcxContext;

/**
 * The slices of a worker, in two sizes, so that a small message never pins a large slice. Memory comes from slabs that are
 * registered with UCX once. Empty slabs stay until {@link #trim} finds that they were not needed since its last call: to map and
 * to fault in fresh memory takes far longer than any message. Guarded by the worker's lock.
 */
final class SlicePool {
    static final int SMALL_BYTES = 4 << 10;
    static final int LARGE_BYTES = 64 << 10;

    private static final int SLICES_PER_SLAB = 8;
    private static final int MAX_SLABS = 1 << 20;

    /** A block of equal slices. */
    static final class Slab {
        final SizeClass sizeClass;
        final NativeMemory memory;
        final int index;
        final Slice[] slices = new Slice[SLICES_PER_SLAB];
        int used;

        Slab(SizeClass sizeClass, NativeMemory memory, int index) {
            this.sizeClass = sizeClass;
            this.memory = memory;
            this.index = index;
            for (int i = 0; i < SLICES_PER_SLAB; i++) {
                int id = index * SLICES_PER_SLAB + i;
                slices[i] = new Slice(this, memory, i * sizeClass.sliceBytes, sizeClass.sliceBytes, id);
            }
        }
    }

    /** Free slices of one size, last returned first, so that warm memory is used again. */
    static final class SizeClass {
        final int sliceBytes;
        Slice free;
        int slabs;
        int usedSlabs;

        /** Most slabs in use at once since the last {@link SlicePool#trim}. */
        int peakSlabs;

        SizeClass(int sliceBytes) {
            this.sliceBytes = sliceBytes;
        }
    }

    private final UcxContext context;
    private final SizeClass small = new SizeClass(SMALL_BYTES);
    private final SizeClass large = new SizeClass(LARGE_BYTES);
    private final List<Slab> slabs = new ArrayList<>();
    private boolean closed;

    SlicePool(UcxContext context) {
        this.context = context;
    }

    /** A slice that holds at least {@code expectedBytes}, or a large one where no slice holds that many. */
    Slice take(int expectedBytes) throws IOException {
        SizeClass sizeClass = expectedBytes <= SMALL_BYTES ? small : large;
        if (sizeClass.free == null) {
            addSlab(sizeClass);
        }
        Slice slice = sizeClass.free;
        sizeClass.free = slice.next;
        slice.reset();
        if (slice.slab.used++ == 0) {
            sizeClass.peakSlabs = Math.max(sizeClass.peakSlabs, ++sizeClass.usedSlabs);
        }
        return slice;
    }

    void give(Slice slice) {
        if (closed) {
            return;
        }
        SizeClass sizeClass = slice.slab.sizeClass;
        slice.reset();
        slice.next = sizeClass.free;
        sizeClass.free = slice;
        if (--slice.slab.used == 0) {
            sizeClass.usedSlabs--;
        }
    }

    /** Frees the slabs that were not needed since the last call, but for one of each size. */
    void trim() {
        for (Slab slab : slabs) {
            if (slab == null) {
                continue;
            }
            SizeClass sizeClass = slab.sizeClass;
            if (slab.used == 0 && sizeClass.slabs > Math.max(1, sizeClass.peakSlabs)) {
                release(slab);
            }
        }
        small.peakSlabs = small.usedSlabs;
        large.peakSlabs = large.usedSlabs;
    }

    Slice byId(int id) {
        return slabs.get(id / SLICES_PER_SLAB).slices[id % SLICES_PER_SLAB];
    }

    /** Bytes of memory held. */
    long bytes() {
        long bytes = 0;
        for (Slab slab : slabs) {
            if (slab != null) {
                bytes += (long) slab.sizeClass.sliceBytes * SLICES_PER_SLAB;
            }
        }
        return bytes;
    }

    /** Frees everything; slices still held must not be used any more. */
    void close() {
        closed = true;
        for (Slab slab : slabs) {
            if (slab != null) {
                slab.memory.close();
            }
        }
        slabs.clear();
        small.free = null;
        large.free = null;
    }

    private void addSlab(SizeClass sizeClass) throws IOException {
        if (closed) {
            throw new IOException("The worker is closed");
        }
        int index = freeIndex();
        Slab slab = new Slab(sizeClass, context.allocate(sizeClass.sliceBytes * SLICES_PER_SLAB), index);
        slabs.set(index, slab);
        for (Slice slice : slab.slices) {
            slice.next = sizeClass.free;
            sizeClass.free = slice;
        }
        sizeClass.slabs++;
    }

    private int freeIndex() throws IOException {
        int index = slabs.indexOf(null);
        if (index < 0) {
            if (slabs.size() == MAX_SLABS) {
                throw new IOException("Too many slabs of one worker");
            }
            slabs.add(null);
            index = slabs.size() - 1;
        }
        return index;
    }

    private void release(Slab slab) {
        SizeClass sizeClass = slab.sizeClass;
        Slice previous = null;
        for (Slice slice = sizeClass.free; slice != null; slice = slice.next) {
            if (slice.slab != slab) {
                previous = slice;
            } else if (previous == null) {
                sizeClass.free = slice.next;
            } else {
                previous.next = slice.next;
            }
        }
        sizeClass.slabs--;
        slabs.set(slab.index, null);
        slab.memory.close();
    }
}
