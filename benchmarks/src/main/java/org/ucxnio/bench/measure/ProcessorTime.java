package org.ucxnio.bench.measure;

import com.sun.management.OperatingSystemMXBean;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.net.Socket;
import org.ucxnio.bench.child.Host;
import org.ucxnio.bench.child.Reporter;

/**
 * Processor time of this process and of others that tell theirs on a port. {@code java.net.Socket} carries it, which no
 * selector provider touches, and nothing is open or runs between two questions.
 */
public final class ProcessorTime {
    /** Stands for this process where a port is asked for. */
    public static final int OWN = 0;

    private static final int TIMEOUT_MILLIS = 10_000;
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private ProcessorTime() {}

    /** Processor time that this process used so far, ns. The kernel counts it in steps of 10 ms. */
    public static long own() {
        return SYSTEM.getProcessCpuTime();
    }

    /** Tells every process of this host that asks; says through {@code reporter} on which port. */
    public static void tell(Reporter reporter) throws IOException {
        ServerSocket listener = new ServerSocket(0, 1, Host.address());
        // Once for nothing: classes load.
        own();
        Thread thread = new Thread(() -> answer(listener), "processor-time");
        thread.setDaemon(true);
        thread.start();
        reporter.clock(listener.getLocalPort());
    }

    private static void answer(ServerSocket listener) {
        while (true) {
            try (Socket caller = listener.accept()) {
                new DataOutputStream(caller.getOutputStream()).writeLong(own());
            } catch (IOException e) {
                // The caller is gone: the next one may ask.
                e.printStackTrace();
            }
        }
    }

    /** Processor time of the process that tells it on {@code port}, ns; {@link #OWN} is this process. */
    public static long of(int port) {
        if (port == OWN) {
            return own();
        }
        try (Socket socket = new Socket(Host.address(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            return new DataInputStream(socket.getInputStream()).readLong();
        } catch (IOException e) {
            throw new UncheckedIOException("the peer does not tell its processor time", e);
        }
    }
}
