package org.ucxnio.posix.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.ucxnio.posix.Futex;

/** {@code futex(2)}, which the C library has no function for. Thread-safe. */
final class FfmFutex implements Futex {
    private static final long FUTEX_WAIT = 0;
    private static final long FUTEX_WAKE = 1;
    private static final long NO_TIMEOUT = 0;

    // struct timespec { time_t tv_sec; long tv_nsec; }
    private static final int TIMESPEC_NANOS = 8;
    private static final int TIMESPEC_SIZE = 16;

    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    // long syscall(long number, ...), where FUTEX_WAIT takes
    // (uint32_t *uaddr, int futex_op, uint32_t val, const struct timespec *timeout) and FUTEX_WAKE the first three of
    // these
    private static final MethodHandle SYSCALL = Raw.function(LibC.address("syscall"));

    /** One for all; null on a processor whose number for the call is not known. */
    static final FfmFutex INSTANCE = create();

    /** A struct timespec for each thread that waits; freed some time after the thread's end. */
    private final ThreadLocal<MemorySegment> timespecs =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(TIMESPEC_SIZE, Long.BYTES));

    /** SYS_futex of this processor. */
    private final long number;

    private FfmFutex(long number) {
        this.number = number;
    }

    private static FfmFutex create() {
        return switch (System.getProperty("os.arch")) {
            case "amd64", "x86_64" -> new FfmFutex(202);
            case "aarch64" -> new FfmFutex(98);
            default -> null;
        };
    }

    @Override
    public long address(ByteBuffer memory) {
        if (!memory.isDirect()) {
            throw new IllegalArgumentException("a buffer on the heap has no address");
        }
        return MemorySegment.ofBuffer(memory).address();
    }

    @Override
    public void await(long address, int expected, long nanos) {
        if (nanos <= 0) {
            return;
        }
        long timeout = nanos == Long.MAX_VALUE ? NO_TIMEOUT : timespec(nanos);
        // Every outcome, an error or a signal among them, is one that a caller of this method is ready for.
        Raw.call(SYSCALL, number, address, FUTEX_WAIT, expected, timeout);
    }

    /** The address stays good while this thread lives: its map holds the segment. */
    private long timespec(long nanos) {
        long address = timespecs.get().address();
        Raw.putLong(address, nanos / NANOS_PER_SECOND);
        Raw.putLong(address + TIMESPEC_NANOS, nanos % NANOS_PER_SECOND);
        return address;
    }

    @Override
    public void wake(long address) {
        Raw.call(SYSCALL, number, address, FUTEX_WAKE, Integer.MAX_VALUE, 0);
    }
}
