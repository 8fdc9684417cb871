package org.ucxnio.posix;

import java.io.IOException;

/** Operating-system services, found through {@link java.util.ServiceLoader}. Thread-safe. */
public interface Posix {

    /** Name of the implementation, such as {@code ffm}. */
    String name();

    /** Effective user id of this process. */
    int effectiveUserId();

    /** Value of a variable in the C environment (which can differ from {@link System#getenv}), or null. */
    String getenv(String name);

    /** Sets a variable in the C environment of this process. */
    void setenv(String name, String value);

    Epoll openEpoll() throws IOException;

    EventFd openEventFd() throws IOException;

    /**
     * How much a TCP socket was given to send that the peer's kernel has not confirmed yet, in bytes; the end of the stream counts as
     * one. Once it is 0 nothing that happens to this process keeps the peer from reading all of it.
     *
     * @return the number, or 0 where the kernel does not tell
     */
    int unconfirmedBytes(int fd);

    /** How much a socket has received that nobody has read, in bytes; 0 where the kernel does not tell. Counts also what an input that was shut down keeps. */
    int unreadBytes(int fd);

    /**
     * Whether the kernel has a TCP socket as established at this moment: connected, and the end of the stream was sent by neither side.
     * False for whatever else {@code fd} is. That an application shut down its own input is not seen.
     */
    boolean isEstablished(int fd);

    /** Sleeping on shared words, one object for all; null where the processor's number for the system call is not known. */
    Futex futex();

    /**
     * Exports a package of {@code java.base} to the unnamed module, as {@code --add-exports} does. The provider needs it
     * for {@code sun.nio.ch} alone, to reach the platform's own selector provider.
     *
     * @return whether the package is exported now
     */
    boolean exportJavaBasePackage(String packageName);
}
