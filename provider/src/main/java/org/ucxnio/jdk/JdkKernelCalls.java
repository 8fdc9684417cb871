package org.ucxnio.jdk;

import static java.lang.invoke.MethodType.methodType;

import java.io.FileDescriptor;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import org.ucxnio.posix.Futex;
import org.ucxnio.posix.KernelCalls;
import org.ucxnio.posix.TcpState;

/**
 * Calls of the JDK's own for its channels, as they are on Linux. There is no futex among them. Thread-safe.
 *
 * <p>{@code getsockopt(2)} writes as much of an option as it is given room for, and the JDK gives it an {@code int}. The first byte of
 * {@code struct tcp_info} is the state of the connection.
 */
final class JdkKernelCalls implements KernelCalls {
    private static final String NET = "sun.nio.ch.Net";

    private static final int IPPROTO_TCP = 6;
    private static final int TCP_INFO = 11;

    private static final int POLLOUT = 4;

    /** {@code Net.getIntOption0(FileDescriptor, boolean mayNeedConversion, int level, int option)}. */
    private final MethodHandle getIntOption;

    /** {@code Net.available(FileDescriptor)}: {@code ioctl(FIONREAD)}. */
    private final MethodHandle available;

    /** {@code Net.poll(FileDescriptor, int events, long timeout)}: {@code poll(2)}. */
    private final MethodHandle poll;

    /** {@code Module.implAddExportsToAllUnnamed(String)}. */
    private final MethodHandle addExports;

    private final SendQueues sendQueues = new SendQueues();

    /** @throws ReflectiveOperationException where the JDK is not as expected, or its parts are out of reach */
    JdkKernelCalls() throws ReflectiveOperationException {
        Class<?> net = Class.forName(NET);
        MethodHandles.Lookup lookup = TrustedLookup.in(net);
        getIntOption = lookup.findStatic(
                net, "getIntOption0", methodType(int.class, FileDescriptor.class, boolean.class, int.class, int.class));
        available = lookup.findStatic(net, "available", methodType(int.class, FileDescriptor.class));
        poll = lookup.findStatic(net, "poll", methodType(int.class, FileDescriptor.class, int.class, long.class));
        addExports = TrustedLookup.in(Module.class)
                .findVirtual(Module.class, "implAddExportsToAllUnnamed", methodType(void.class, String.class));
        if (!exportJavaBasePackage(net.getPackageName())) {
            throw new IllegalAccessException(net.getPackageName() + " cannot be exported");
        }
        PlatformChannels.descriptor(-1);
    }

    @Override
    public String name() {
        return "jdk";
    }

    @Override
    public int unconfirmedBytes(int fd) {
        int state = tcpState(fd);
        return switch (state) {
            // The end was confirmed, and it is the last.
            case 0, TcpState.FIN_WAIT2, TcpState.TIME_WAIT, TcpState.CLOSE -> 0;
            default -> sendQueues.bytes(fd, state);
        };
    }

    @Override
    public int unreadBytes(int fd) {
        try {
            return (int) available.invokeExact(PlatformChannels.descriptor(fd));
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            return 0;
        }
    }

    @Override
    public boolean hasRoom(int fd) {
        try {
            return (int) poll.invokeExact(PlatformChannels.descriptor(fd), POLLOUT, 0L) > 0;
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            return false;
        }
    }

    @Override
    public int tcpState(int fd) {
        try {
            return (int) getIntOption.invokeExact(PlatformChannels.descriptor(fd), false, IPPROTO_TCP, TCP_INFO) & 0xff;
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            return 0;
        }
    }

    @Override
    public Futex futex() {
        return null;
    }

    @Override
    public boolean exportJavaBasePackage(String packageName) {
        try {
            addExports.invokeExact(Object.class.getModule(), packageName);
            return true;
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            return false;
        }
    }
}
