package org.ucxnio.ucx.ffm;

import java.util.Arrays;

/**
 * Sends in progress: a 32-bit slot, which fits into what UCX carries, for each 64-bit token. Allocates only when it grows.
 * Not thread-safe.
 */
final class SendSlots {
    private static final int IN_USE = -2;
    private static final int END = -1;

    private long[] tokens;

    // The next free slot, END, or IN_USE.
    private int[] next;
    private int firstFree;

    SendSlots(int initialCapacity) {
        tokens = new long[initialCapacity];
        next = new int[initialCapacity];
        chain(0);
    }

    int take(long token) {
        if (firstFree == END) {
            int used = next.length;
            tokens = Arrays.copyOf(tokens, used * 2);
            next = Arrays.copyOf(next, used * 2);
            chain(used);
        }
        int slot = firstFree;
        firstFree = next[slot];
        next[slot] = IN_USE;
        tokens[slot] = token;
        return slot;
    }

    boolean isTaken(int slot) {
        return slot >= 0 && slot < next.length && next[slot] == IN_USE;
    }

    /** Gives a taken slot back and returns its token. */
    long release(int slot) {
        next[slot] = firstFree;
        firstFree = slot;
        return tokens[slot];
    }

    int capacity() {
        return next.length;
    }

    private void chain(int from) {
        for (int slot = from; slot < next.length; slot++) {
            next[slot] = slot + 1;
        }
        next[next.length - 1] = END;
        firstFree = from;
    }
}
