package org.ucxnio.ucx.jucx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.openucx.jucx.UcxUtils;

/**
 * Buffers through which any address of the process can be read: each lies over the two gigabytes from a gigabyte's start on, so that what
 * begins in the first of them and is no longer than one ends in it. A worker's messages come from few such places, and a buffer is made
 * once for each. A buffer over addresses that nothing is mapped at is harmless; reading there is not. Not thread-safe.
 */
final class Views {
    static final int LONGEST = 1 << 30;

    private static final int WINDOW_BITS = 30;
    private static final int CACHED = 16;

    /** The first page is nobody's, and 0 is no address that a buffer may have. */
    private static final long FIRST_ADDRESS = 4096;

    /** A buffer over memory that somebody else has mapped. */
    interface Maker {
        ByteBuffer make(long address, long sizeBytes);
    }

    private final Maker maker;
    private final long[] windows = new long[CACHED];
    private final ByteBuffer[] buffers = new ByteBuffer[CACHED];

    Views() {
        this(UcxUtils::getByteBufferView);
    }

    Views(Maker maker) {
        this.maker = maker;
        Arrays.fill(windows, -1);
    }

    /** A buffer that holds what lies at the address, in native byte order, at {@link #index}; not beyond {@link #LONGEST} bytes of it. */
    ByteBuffer at(long address) {
        long window = address >>> WINDOW_BITS;
        int slot = (int) window & CACHED - 1;
        if (windows[slot] != window) {
            buffers[slot] = maker.make(start(window), Integer.MAX_VALUE).order(ByteOrder.nativeOrder());
            windows[slot] = window;
        }
        return buffers[slot];
    }

    /** Where in the buffer of {@link #at} an address is. */
    static int index(long address) {
        return (int) (address - start(address >>> WINDOW_BITS));
    }

    private static long start(long window) {
        return Math.max(window << WINDOW_BITS, FIRST_ADDRESS);
    }
}
