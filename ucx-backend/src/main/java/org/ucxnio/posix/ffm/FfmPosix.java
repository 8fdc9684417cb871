package org.ucxnio.posix.ffm;

import java.io.IOException;
import org.ucxnio.posix.Epoll;
import org.ucxnio.posix.EventFd;
import org.ucxnio.posix.Futex;
import org.ucxnio.posix.KernelCalls;
import org.ucxnio.posix.Posix;

/** Operating-system services through {@code java.lang.foreign}: Java 22 and later, Linux. */
public final class FfmPosix implements Posix, KernelCalls {
    @Override
    public String name() {
        return "ffm";
    }

    @Override
    public Epoll openEpoll() throws IOException {
        return new FfmEpoll();
    }

    @Override
    public EventFd openEventFd() throws IOException {
        return new FfmEventFd();
    }

    @Override
    public int unconfirmedBytes(int fd) {
        return LibC.outputQueue(fd);
    }

    @Override
    public int unreadBytes(int fd) {
        return LibC.inputQueue(fd);
    }

    @Override
    public boolean hasRoom(int fd) {
        return LibC.isWritable(fd);
    }

    @Override
    public int tcpState(int fd) {
        return LibC.tcpState(fd);
    }

    @Override
    public Futex futex() {
        return FfmFutex.INSTANCE;
    }

    @Override
    public boolean exportJavaBasePackage(String packageName) {
        return JavaBaseExports.export(packageName);
    }
}
