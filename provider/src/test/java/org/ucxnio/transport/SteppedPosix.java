package org.ucxnio.transport;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.ucxnio.posix.Epoll;
import org.ucxnio.posix.Posix;

/** The operating system, but for one thing: what sleeps in an epoll instance goes on when the test says so, and one round at a time. */
final class SteppedPosix {
    private final List<Stepped> opened = new ArrayList<>();
    private final Posix real;

    SteppedPosix(Posix real) {
        this.real = real;
    }

    /** To be given to those whose threads shall be stepped. */
    Posix posix() {
        return (Posix) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Posix.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("openEpoll")) {
                        return open();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Epoll open() throws IOException {
        Stepped epoll = new Stepped(real.openEpoll());
        opened.add(epoll);
        return epoll;
    }

    /** Every thread does one round: what it does with the events that there are, and what is due. Returns when all sleep again. */
    void step() {
        opened.forEach(Stepped::step);
    }

    private static final class Stepped implements Epoll {
        private final Epoll epoll;
        private boolean asleep;
        private boolean mayGo;

        Stepped(Epoll epoll) {
            this.epoll = epoll;
        }

        synchronized void step() {
            waitUntilAsleep();
            mayGo = true;
            asleep = false;
            notifyAll();
            waitUntilAsleep();
        }

        private synchronized void waitUntilAsleep() {
            try {
                while (!asleep) {
                    wait();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public synchronized int await(int timeoutMillis) throws IOException {
            asleep = true;
            notifyAll();
            try {
                while (!mayGo) {
                    wait();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            mayGo = false;
            return epoll.await(0);
        }

        @Override
        public void add(int fd, int events, long data) throws IOException {
            epoll.add(fd, events, data);
        }

        @Override
        public void modify(int fd, int events, long data) throws IOException {
            epoll.modify(fd, events, data);
        }

        @Override
        public void remove(int fd) {
            epoll.remove(fd);
        }

        @Override
        public long data(int index) {
            return epoll.data(index);
        }

        @Override
        public void close() {
            epoll.close();
        }
    }
}
