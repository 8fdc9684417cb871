package org.ucxnio.transport;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connections of a worker by the id their peers send to. An id holds an index and the generation of its slot, so that a late
 * message for a closed connection never reaches the one that took its slot. Guarded by the worker's lock.
 */
final class ConnectionTable {
    private static final int INDEX_BITS = 20;
    private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;
    private static final int GENERATION_MASK = (1 << 32 - INDEX_BITS) - 1;

    private static final AtomicInteger GENERATIONS = new AtomicInteger();

    private BoundConnection[] slots = new BoundConnection[16];
    private int[] generations = new int[16];
    private int[] freeIndexes = new int[16];
    private int freeCount;
    private int used;
    private int size;

    /** Adds a connection and returns its id, which is never 0. */
    int add(BoundConnection connection) {
        int index;
        if (freeCount > 0) {
            index = freeIndexes[--freeCount];
        } else {
            index = used++;
            if (index > INDEX_MASK) {
                throw new IllegalStateException("More than " + INDEX_MASK + " connections on one worker");
            }
            if (index == slots.length) {
                slots = Arrays.copyOf(slots, used * 2);
                generations = Arrays.copyOf(generations, used * 2);
                freeIndexes = Arrays.copyOf(freeIndexes, used * 2);
            }
        }
        generations[index] = nextGeneration();
        slots[index] = connection;
        size++;
        return generations[index] << INDEX_BITS | index;
    }

    /**
     * Counted for the whole process: what was meant for a connection of another worker, whose place in shared memory this one took,
     * reaches nobody either.
     */
    private static int nextGeneration() {
        int generation = GENERATIONS.incrementAndGet() & GENERATION_MASK;
        return generation == 0 ? nextGeneration() : generation;
    }

    /** The connection with that id, or null. Any int is safe to ask for. */
    BoundConnection get(int id) {
        int index = id & INDEX_MASK;
        if (index >= used || generations[index] != id >>> INDEX_BITS) {
            return null;
        }
        return slots[index];
    }

    void remove(int id) {
        int index = id & INDEX_MASK;
        if (get(id) != null) {
            slots[index] = null;
            freeIndexes[freeCount++] = index;
            size--;
        }
    }

    int size() {
        return size;
    }

    /** A copy, for walks during which connections come and go. */
    BoundConnection[] snapshot() {
        BoundConnection[] all = new BoundConnection[size];
        int count = 0;
        for (int i = 0; i < used; i++) {
            if (slots[i] != null) {
                all[count++] = slots[i];
            }
        }
        return all;
    }
}
