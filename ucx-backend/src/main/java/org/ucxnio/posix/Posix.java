package org.ucxnio.posix;

import java.io.IOException;

/** Operating-system services that UCX needs, found through {@link java.util.ServiceLoader}. Thread-safe. */
public interface Posix extends KernelCalls {

    /** Effective user id of this process. */
    int effectiveUserId();

    /** Value of a variable in the C environment (which can differ from {@link System#getenv}), or null. */
    String getenv(String name);

    /** Sets a variable in the C environment of this process. */
    void setenv(String name, String value);

    Epoll openEpoll() throws IOException;

    EventFd openEventFd() throws IOException;
}
