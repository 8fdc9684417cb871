package org.ucxnio.posix;

/** A non-blocking eventfd. Thread-safe; using a closed one does nothing. */
public interface EventFd extends AutoCloseable {
    int fd();

    /** Makes the descriptor readable. */
    void signal();

    /** Makes the descriptor unreadable until the next {@link #signal}. */
    void drain();

    @Override
    void close();
}
