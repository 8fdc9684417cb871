package org.ucxnio.jdk;

/**
 * Errors that the JVM throws some time after what has brought them about: an {@link InternalError}, where compiled code has touched mapped
 * memory whose file was cut short. Thread-safe.
 */
public final class LateErrors {
    /** The first long-lived release whose compiled code looks for such an error wherever it looks whether the thread has to stop. */
    private static final int POLLED_SINCE = 21;

    private static final boolean POLLED = Runtime.version().feature() >= POLLED_SINCE;

    /** Never another value, which the compiler does not know: it keeps the loop, and in it the look whether the JVM wants something. */
    private static volatile int rounds = 2;

    /** Never another value, which the compiler does not know: it keeps the call of the JVM's. */
    private static volatile int none;

    private LateErrors() {}

    /** Has the JVM throw here what it would throw a little later. */
    public static void surface() {
        if (POLLED) {
            Thread.holdsLock(LateErrors.class);
        } else {
            allocate();
        }
    }

    /**
     * The same for what takes no longer than a call of the JVM's: where the JVM throws also as compiled code looks whether the thread has to
     * stop, a loop is enough, which looks each time that it begins again.
     */
    public static void surfaceCheaply() {
        surfaceUnlessPolled();
        int round = 0;
        while (round < rounds) {
            round++;
        }
    }

    /** The same behind a loop, or between two looks at memory: compiled code that looks by itself does so there. */
    public static void surfaceUnlessPolled() {
        if (!POLLED) {
            allocate();
        }
    }

    /**
     * Java 17 throws behind those calls of the JVM's alone that compiled code makes by itself, not behind native methods. Arrays of arrays, of
     * lengths unknown to the compiler, are made by such a call, in less than 20 ns.
     *
     * @return the array, or null where the heap is full, which is no reason to fail: what the caller has done is done
     */
    private static Object allocate() {
        int length = none;
        try {
            return new byte[length][length];
        } catch (OutOfMemoryError e) {
            return null;
        }
    }
}
