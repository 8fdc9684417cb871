package org.ucxnio.posix.jna;

import com.sun.jna.Native;
import java.io.IOException;
import java.util.Objects;
import org.ucxnio.posix.Epoll;
import org.ucxnio.posix.EventFd;
import org.ucxnio.posix.Posix;

/** Operating-system services through JNA, where it is on the class path: Java 17 and later, Linux. */
public final class JnaPosix implements Posix {

    /** Fails to link where JNA is missing; loads nothing native yet. */
    public JnaPosix() {
        Objects.requireNonNull(Native.class);
    }

    @Override
    public String name() {
        return "jna";
    }

    @Override
    public Epoll openEpoll() throws IOException {
        try {
            return new JnaEpoll();
        } catch (LinkageError e) {
            throw unusable(e);
        }
    }

    @Override
    public EventFd openEventFd() throws IOException {
        try {
            return new JnaEventFd();
        } catch (LinkageError e) {
            throw unusable(e);
        }
    }

    private static IOException unusable(LinkageError e) {
        return new IOException("JNA does not work here: " + e, e);
    }
}
