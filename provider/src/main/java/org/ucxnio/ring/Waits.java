package org.ucxnio.ring;

/** How an end of a ring that sleeps wants to be woken. */
public final class Waits {
    public static final int NOT = 0;

    /** By a futex, on the very word that says so. */
    public static final int FUTEX = 1;

    /** By a byte over the connection's TCP socket. */
    public static final int TOKEN = 2;

    private Waits() {}
}
