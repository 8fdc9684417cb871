package org.ucxnio.connect;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ServiceLoader;
import org.ucxnio.posix.Epoll;
import org.ucxnio.posix.EventFd;
import org.ucxnio.posix.Futex;
import org.ucxnio.posix.Posix;

/** The operating system, but for the owner of sockets, which the test tells. */
final class TestPosix implements Posix {
    static final int OWN_USER = 1000;

    private final Posix real = ServiceLoader.load(Posix.class).findFirst().orElseThrow();

    volatile int owner = OWN_USER;

    /** Happens before an owner is told. */
    volatile Runnable meanwhile = () -> {};

    /** What each answer about a listener is higher by than the one before; the lowest value for no answers at all. */
    volatile long listenerOffset;

    private long listenerAsked;

    /** What was asked last. */
    volatile InetSocketAddress askedLocal;

    volatile InetSocketAddress askedRemote;

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public int effectiveUserId() {
        return OWN_USER;
    }

    @Override
    public String getenv(String name) {
        return real.getenv(name);
    }

    @Override
    public void setenv(String name, String value) {
        real.setenv(name, value);
    }

    @Override
    public Epoll openEpoll() throws IOException {
        return real.openEpoll();
    }

    @Override
    public EventFd openEventFd() throws IOException {
        return real.openEventFd();
    }

    @Override
    public int ownerOf(InetSocketAddress local, InetSocketAddress remote) {
        askedLocal = local;
        askedRemote = remote;
        meanwhile.run();
        return owner;
    }

    @Override
    public long listenerId(InetSocketAddress address) {
        return listenerOffset == Long.MIN_VALUE ? 0 : real.listenerId(address) + listenerAsked++ * listenerOffset;
    }

    @Override
    public int unconfirmedBytes(int fd) {
        return real.unconfirmedBytes(fd);
    }

    @Override
    public int unreadBytes(int fd) {
        return real.unreadBytes(fd);
    }

    @Override
    public boolean isEstablished(int fd) {
        return real.isEstablished(fd);
    }

    @Override
    public Futex futex() {
        return real.futex();
    }

    @Override
    public boolean exportJavaBasePackage(String packageName) {
        return real.exportJavaBasePackage(packageName);
    }
}
