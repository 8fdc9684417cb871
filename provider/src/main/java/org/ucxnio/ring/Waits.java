package org.ucxnio.ring;

/** How an end of a ring that sleeps wants to be woken. */
public final class Waits {
    public static final int NOT = 0;

    /** By a futex, on the very word that says so. */
    public static final int FUTEX = 1;

    /** By a byte over the connection's TCP socket. */
    public static final int TOKEN = 2;

    /** By what the header says put into the pipe that it names. In the bits above stands the descriptor that the pipe has in the sleeper's process. */
    private static final int BELL = 3;

    private static final int BELL_MASK = 3;
    private static final int BELL_BITS = 2;

    private Waits() {}

    public static int bell(int descriptor) {
        return descriptor << BELL_BITS | BELL;
    }

    public static boolean isBell(int how) {
        return (how & BELL_MASK) == BELL;
    }

    /** The sleeper's descriptor of the pipe. */
    public static int descriptor(int bell) {
        return bell >>> BELL_BITS;
    }
}
