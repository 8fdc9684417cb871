package org.ucxnio.posix;

/**
 * What connections of one host ask the kernel beside the JDK's public API. Where native functions can be called, found through
 * {@link java.util.ServiceLoader}. Thread-safe.
 */
public interface KernelCalls {

    /** Name of the implementation, such as {@code ffm}. */
    String name();

    /**
     * How much a TCP socket was given to send that the peer's kernel has not confirmed yet, in bytes; the end of the stream counts as
     * one. Once it is 0 nothing that happens to this process keeps the peer from reading all of it.
     *
     * @return the number, which may be that of an earlier moment behind the last time that it was not known; 0 where the kernel does not
     *     tell; {@link Integer#MAX_VALUE} where it is not known at this moment, so that asking again later is worth it
     */
    int unconfirmedBytes(int fd);

    /** How much a socket has received that nobody has read, in bytes; 0 where the kernel does not tell. Counts also what an input that was shut down keeps. */
    int unreadBytes(int fd);

    /**
     * Whether a byte written to a stream socket now would not wait for room: a third of the room is free, or the write would fail. False
     * where the kernel does not tell.
     */
    boolean hasRoom(int fd);

    /**
     * The state that the kernel has a TCP socket in at this moment, as a number of {@link TcpState}; 0 for whatever else {@code fd} is.
     * That an application shut down its own input is not seen.
     */
    int tcpState(int fd);

    /** Sleeping on shared words, one object for all; null where there is no such call. */
    Futex futex();

    /**
     * Exports a package of {@code java.base} to the unnamed module, as {@code --add-exports} does. The provider needs it
     * for {@code sun.nio.ch} alone, to reach the platform's own selector provider.
     *
     * @return whether the package is exported now
     */
    boolean exportJavaBasePackage(String packageName);
}
