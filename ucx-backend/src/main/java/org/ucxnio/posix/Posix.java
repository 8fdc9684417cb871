package org.ucxnio.posix;

import java.io.IOException;

/** How threads wait for descriptors of UCX's, found through {@link java.util.ServiceLoader}. Thread-safe. */
public interface Posix {

    /** Name of the implementation, such as {@code ffm}. */
    String name();

    Epoll openEpoll() throws IOException;

    EventFd openEventFd() throws IOException;
}
