package org.ucxnio.ring;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Words in memory that two processes share, at addresses that are multiples of their size, in buffers of the native byte order.
 *
 * <p>A word is read and written as a whole, as any aligned one is by a 64-bit machine, and fences keep it in its place: a read here stays before
 * what follows, a write behind what goes before. That is what a {@link VarHandle} over a buffer promises as well, but each use of one takes the first
 * compiler three times as long, and the interpreter twice. Connections move to rings while programs run, and what is
 * new then is compiled beside their work.
 */
final class Words {
    private static final VarHandle INTS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private Words() {}

    static int getAcquire(ByteBuffer memory, int at) {
        int value = memory.getInt(at);
        VarHandle.acquireFence();
        return value;
    }

    static long getLongAcquire(ByteBuffer memory, int at) {
        long value = memory.getLong(at);
        VarHandle.acquireFence();
        return value;
    }

    static void setRelease(ByteBuffer memory, int at, int value) {
        VarHandle.releaseFence();
        memory.putInt(at, value);
    }

    static void setLongRelease(ByteBuffer memory, int at, long value) {
        VarHandle.releaseFence();
        memory.putLong(at, value);
    }

    /** What follows is neither read nor written before others can see this. */
    static void setVolatile(ByteBuffer memory, int at, int value) {
        setRelease(memory, at, value);
        VarHandle.fullFence();
    }

    /** As {@link #setVolatile}. */
    static void setLongVolatile(ByteBuffer memory, int at, long value) {
        setLongRelease(memory, at, value);
        VarHandle.fullFence();
    }

    static boolean compareAndSet(ByteBuffer memory, int at, int expected, int value) {
        return INTS.compareAndSet(memory, at, expected, value);
    }
}
