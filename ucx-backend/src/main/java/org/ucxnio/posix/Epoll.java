package org.ucxnio.posix;

import java.io.IOException;

/** An epoll instance. {@link #await} is for one thread; the other methods are thread-safe. */
public interface Epoll extends AutoCloseable {
    /** Readable (EPOLLIN). */
    int IN = 1;

    /** Writable (EPOLLOUT). */
    int OUT = 4;

    /** Watches {@code fd} for {@code events} (level-triggered); {@code data} comes back with them. */
    void add(int fd, int events, long data) throws IOException;

    /** Changes what a watched {@code fd} is watched for. */
    void modify(int fd, int events, long data) throws IOException;

    /** Stops watching {@code fd}; nothing happens where it is not watched or closed already. */
    void remove(int fd);

    /**
     * Waits for events. Allocates nothing; a signal that interrupts the call counts as a timeout.
     *
     * @param timeoutMillis 0 returns at once, negative waits without bound
     * @return number of events, to be read with {@link #data}
     */
    int await(int timeoutMillis) throws IOException;

    /** Data of the {@code index}-th event of the last {@link #await}. */
    long data(int index);

    @Override
    void close();
}
