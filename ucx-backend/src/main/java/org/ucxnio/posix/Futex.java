package org.ucxnio.posix;

import java.nio.ByteBuffer;

/**
 * Sleeping on a 32-bit word of memory that processes share ({@code futex(2)}, not private). Thread-safe; allocates nothing once a
 * thread has waited for the first time.
 *
 * <p>The kernel compares the word and puts the thread to sleep as one step. A waker that changes the word and then calls {@link #wake}
 * is therefore never missed.
 */
public interface Futex {

    /**
     * Address of the memory of a direct buffer, at its position.
     *
     * @param memory the caller keeps it reachable, and mapped, as long as it uses the address
     * @throws IllegalArgumentException for a buffer on the heap
     */
    long address(ByteBuffer memory);

    /**
     * Sleeps until somebody wakes the word, unless it holds something else than {@code expected}. May return at any time without a
     * reason. An interrupt does not end it. For platform threads: a virtual one would hold on to its carrier.
     *
     * @param address a multiple of 4, in mapped memory
     * @param nanos how long at most, by the monotonic clock; 0 or less returns at once, {@link Long#MAX_VALUE} sets no bound
     */
    void await(long address, int expected, long nanos);

    /**
     * Wakes all threads that sleep on the word, in all processes.
     *
     * @param address a multiple of 4, in mapped memory
     */
    void wake(long address);
}
