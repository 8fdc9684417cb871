package org.ucxnio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.LocalSockets;
import org.ucxnio.jdk.OwnThread;
import org.ucxnio.jdk.ThisProcess;
import org.ucxnio.session.PrivateDirectory;

/**
 * Gives the report of a running process to its user: a Unix-domain socket named after the process id, in a directory that only that
 * user can enter. Whoever connects gets the report and the end of the stream.
 */
final class ReportSocket implements Runnable {
    private static final int MAX_REPORT_BYTES = 1 << 20;
    private static final int BACKLOG = 16;
    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_DIGITS = 18;

    /** Processes that are over sooner do not pay for it. */
    private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A process that is older gives its report at once, or none. */
    private static final Duration YOUTH = Duration.ofSeconds(2);

    private final SelectorProvider platform;
    private final Thread thread = OwnThread.of(this, "ucxnio-report");

    // -- guarded by this --
    private boolean closed;

    /** The number of this process; null before it is opened. */
    private String name;

    /** Null before it is opened, or where it cannot be. */
    private ServerSocketChannel listener;

    /** Of the listener alone; null as long as that is. */
    private Selector selector;

    private Object fileKey;
    // -- end --

    private ReportSocket(SelectorProvider platform) {
        this.platform = platform;
    }

    /** Has a thread of its own serve, a little later; where that cannot be, a line in the log says why. It harms nothing else. */
    static ReportSocket start(SelectorProvider platform) {
        ReportSocket socket = new ReportSocket(platform);
        socket.thread.start();
        return socket;
    }

    @Override
    public void run() {
        LockSupport.parkNanos(DELAY_NANOS);
        try {
            Selector opened = open();
            if (opened != null) {
                serve(opened);
            }
        } catch (IOException | RuntimeException e) {
            Log.info("No report of this process from outside: " + e.getMessage());
        }
    }

    /** Null where this was closed meanwhile. */
    private Selector open() throws IOException {
        try (PrivateDirectory directory = PrivateDirectory.open(path(), true)) {
            removeDead(directory, platform);
            synchronized (this) {
                if (!closed) {
                    open(directory);
                }
                return selector;
            }
        }
    }

    private static Path path() {
        return Path.of(System.getProperty("java.io.tmpdir"), "ucxnio-" + System.getProperty("user.name"));
    }

    /** With this locked. */
    private void open(PrivateDirectory directory) throws IOException {
        name = ThisProcess.number();
        if (directory.list().contains(name)) {
            throw new IOException(directory.path().resolve(name) + " is in use, perhaps in another PID namespace");
        }
        // Between bind and listen a socket refuses connections as a dead one does: it gets its name once it listens.
        String youngName =
                name + '.' + Integer.toHexString(ThreadLocalRandom.current().nextInt());
        ServerSocketChannel young = platform.openServerSocketChannel(StandardProtocolFamily.UNIX);
        try {
            LocalSockets.bind(young, UnixDomainSocketAddress.of(directory.path().resolve(youngName)), BACKLOG);
            selector = platform.openSelector();
            young.configureBlocking(false);
            young.register(selector, SelectionKey.OP_ACCEPT);
            fileKey = directory.attributes(youngName).fileKey();
            directory.move(youngName, name);
            listener = young;
        } catch (IOException | RuntimeException e) {
            young.close();
            closeSelector();
            directory.delete(youngName);
            throw e;
        }
    }

    /** With this locked. */
    private void closeSelector() throws IOException {
        if (selector != null) {
            selector.close();
            selector = null;
        }
    }

    /** Removes the sockets of processes that ended without doing so. */
    private static void removeDead(PrivateDirectory directory, SelectorProvider platform) throws IOException {
        for (String name : directory.list()) {
            if (isNumber(name) && mayBeDead(name) && directory.isSocket(name)) {
                try {
                    removeIfDead(directory, name, platform);
                } catch (NoSuchFileException e) {
                    // Another process that starts has removed it.
                    continue;
                }
            }
        }
    }

    private static boolean isNumber(String name) {
        boolean digits = !name.isEmpty() && name.length() <= MOST_DIGITS;
        for (int i = 0; digits && i < name.length(); i++) {
            digits = name.charAt(i) >= '0' && name.charAt(i) <= '9';
        }
        return digits;
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
    private static boolean mayBeDead(String process) throws IOException {
        return process.equals(ThisProcess.number()) || Files.notExists(Path.of("/proc", process));
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

    private static void serve(Selector callers) {
        long pauseNanos = FIRST_PAUSE_NANOS;
        while (callers.isOpen()) {
            try {
                pauseNanos = serveOrPause(callers, pauseNanos);
            } catch (Throwable e) {
                // To pause may load something, for which there is no memory.
            }
        }
    }

    /** Returns how long to pause after the next error. */
    private static long serveOrPause(Selector callers, long pauseNanos) {
        try {
            callers.select(ReportSocket::serveOne);
            return FIRST_PAUSE_NANOS;
        } catch (Throwable e) {
            // Where there is no descriptor the one who asks stays, and accept fails again at once.
            LockSupport.parkNanos(pauseNanos);
            return Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
        }
    }

    private static void serveOne(SelectionKey caller) {
        try (SocketChannel client = LocalSockets.accept((ServerSocketChannel) caller.channel())) {
            if (client != null) {
                ByteBuffer report = StandardCharsets.UTF_8.encode(UcxNio.report());
                while (report.hasRemaining()) {
                    client.write(report);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    synchronized void close() {
        closed = true;
        if (listener == null) {
            return;
        }
        try {
            listener.close();
            closeSelector();
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
        while (true) {
            try {
                return fetchNow(pid);
            } catch (IOException e) {
                if (!isYoung(pid)) {
                    throw e;
                }
                LockSupport.parkNanos(DELAY_NANOS);
            }
        }
    }

    /** Whether it may be too early for the process to give its report. */
    private static boolean isYoung(long pid) {
        Instant lately = Instant.now().minus(YOUTH);
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().startInstant())
                .filter(start -> start.isAfter(lately))
                .isPresent();
    }

    private static String fetchNow(long pid) throws IOException {
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
