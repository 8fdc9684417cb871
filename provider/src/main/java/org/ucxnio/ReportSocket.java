package org.ucxnio;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.ucxnio.counters.Log;
import org.ucxnio.session.PrivateDirectory;

/**
 * Gives the report of a running process to its user: a Unix-domain socket named after the process id, in a directory that only that
 * user can enter. Whoever connects gets the report and the end of the stream.
 */
final class ReportSocket {
    private static final int MAX_REPORT_BYTES = 1 << 20;
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Pattern PROCESS = Pattern.compile("\\d{1,18}");

    private final String name;
    private final Object fileKey;
    private final ServerSocketChannel listener;

    private ReportSocket(String name, Object fileKey, ServerSocketChannel listener) {
        this.name = name;
        this.fileKey = fileKey;
        this.listener = listener;
    }

    /** Starts to serve; null, with a line in the log, where that cannot be. It harms nothing but the report from outside. */
    static ReportSocket open(SelectorProvider platform) {
        try (PrivateDirectory directory = PrivateDirectory.open(path(), true)) {
            removeDead(directory, platform);
            ReportSocket socket = open(directory, platform);
            Thread thread = new Thread(socket::serve, "ucxnio-report");
            thread.setDaemon(true);
            thread.start();
            return socket;
        } catch (IOException | RuntimeException e) {
            Log.info("No report of this process from outside: " + e.getMessage());
            return null;
        }
    }

    private static Path path() {
        return Path.of(System.getProperty("java.io.tmpdir"), "ucxnio-" + System.getProperty("user.name"));
    }

    private static String ownName() {
        return Long.toString(ProcessHandle.current().pid());
    }

    private static ReportSocket open(PrivateDirectory directory, SelectorProvider platform) throws IOException {
        String name = ownName();
        if (directory.list().contains(name)) {
            throw new IOException(directory.path().resolve(name) + " is in use, perhaps in another PID namespace");
        }
        // Between bind and listen a socket refuses connections as a dead one does: it gets its name once it listens.
        String youngName =
                name + '.' + Integer.toHexString(ThreadLocalRandom.current().nextInt());
        ServerSocketChannel listener = platform.openServerSocketChannel(StandardProtocolFamily.UNIX);
        try {
            listener.bind(UnixDomainSocketAddress.of(directory.path().resolve(youngName)));
            Object fileKey = directory.attributes(youngName).fileKey();
            directory.move(youngName, name);
            return new ReportSocket(name, fileKey, listener);
        } catch (IOException | RuntimeException e) {
            listener.close();
            directory.delete(youngName);
            throw e;
        }
    }

    /** Removes the sockets of processes that ended without doing so. */
    private static void removeDead(PrivateDirectory directory, SelectorProvider platform) throws IOException {
        for (String name : directory.list()) {
            if (PROCESS.matcher(name).matches() && mayBeDead(name) && directory.isSocket(name)) {
                try {
                    removeIfDead(directory, name, platform);
                } catch (NoSuchFileException e) {
                    // Another process that starts has removed it.
                    continue;
                }
            }
        }
    }

    private static void removeIfDead(PrivateDirectory directory, String name, SelectorProvider platform)
            throws IOException {
        Object asked = directory.attributes(name).fileKey();
        boolean dead = refuses(directory.path().resolve(name), platform);
        if (dead && directory.attributes(name).fileKey().equals(asked)) {
            directory.delete(name);
        }
    }

    /** Spares the living the question; it proves nothing, as not every process can be seen. */
    private static boolean mayBeDead(String process) {
        return process.equals(ownName())
                || ProcessHandle.of(Long.parseLong(process)).isEmpty();
    }

    /** Whether the kernel says that nobody listens there, which it does for good. */
    private static boolean refuses(Path socket, SelectorProvider platform) {
        try (SocketChannel probe = platform.openSocketChannel(StandardProtocolFamily.UNIX)) {
            // A blocking one would wait for room in the listener's backlog.
            probe.configureBlocking(false);
            probe.connect(UnixDomainSocketAddress.of(socket));
            return false;
        } catch (ConnectException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void serve() {
        long pauseNanos = FIRST_PAUSE_NANOS;
        while (listener.isOpen()) {
            try {
                serveOne();
                pauseNanos = FIRST_PAUSE_NANOS;
            } catch (Throwable e) {
                Log.debug("A report was not delivered", e);
                // Where there is no descriptor the one who asks stays, and accept fails again at once.
                LockSupport.parkNanos(pauseNanos);
                pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
            }
        }
    }

    private void serveOne() throws IOException {
        try (SocketChannel client = listener.accept()) {
            ByteBuffer report = StandardCharsets.UTF_8.encode(UcxNio.report());
            while (report.hasRemaining()) {
                client.write(report);
            }
        }
    }

    void close() {
        try {
            listener.close();
        } catch (IOException e) {
            Log.debug("The report socket stays open: " + e.getMessage());
        }
        try (PrivateDirectory directory = PrivateDirectory.open(path(), false)) {
            if (directory.attributes(name).fileKey().equals(fileKey)) {
                directory.delete(name);
            }
        } catch (IOException e) {
            Log.debug("The report socket stays behind: " + e.getMessage());
        }
    }

    /** The report of another process of this user. */
    static String fetch(long pid) throws IOException {
        try (PrivateDirectory directory = PrivateDirectory.open(path(), false)) {
            String name = Long.toString(pid);
            if (!directory.isSocket(name)) {
                throw new IOException("there is no socket " + directory.path().resolve(name));
            }
            return read(directory.path().resolve(name));
        }
    }

    private static String read(Path path) throws IOException {
        try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            ByteBuffer report = ByteBuffer.allocate(MAX_REPORT_BYTES);
            while (report.hasRemaining() && socket.read(report) >= 0) {
                // until the end of the stream
            }
            return StandardCharsets.UTF_8.decode(report.flip()).toString();
        }
    }
}
