package org.ucxnio;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.ucxnio.counters.Log;

/**
 * Gives the report of a running process to its user: a Unix-domain socket named after the process id, in a directory that only that
 * user can enter. Whoever connects gets the report and the end of the stream.
 */
final class ReportSocket {
    private static final int MAX_REPORT_BYTES = 1 << 20;

    private final Path path;
    private final ServerSocketChannel listener;

    private ReportSocket(Path path, ServerSocketChannel listener) {
        this.path = path;
        this.listener = listener;
    }

    /** Starts to serve; null where that cannot be, which harms nothing but the report from outside. */
    static ReportSocket open(SelectorProvider platform) {
        try {
            Path path = directory(true)
                    .resolve(Long.toString(ProcessHandle.current().pid()));
            Files.deleteIfExists(path);
            ServerSocketChannel listener = platform.openServerSocketChannel(StandardProtocolFamily.UNIX);
            listener.bind(UnixDomainSocketAddress.of(path));
            ReportSocket socket = new ReportSocket(path, listener);
            Thread thread = new Thread(socket::serve, "ucxnio-report");
            thread.setDaemon(true);
            thread.start();
            return socket;
        } catch (IOException | RuntimeException e) {
            Log.debug("No report from outside: " + e);
            return null;
        }
    }

    /** The user's directory; another user's, or a link, is not taken for it. */
    private static Path directory(boolean create) throws IOException {
        String user = System.getProperty("user.name");
        Path directory = Path.of(System.getProperty("java.io.tmpdir"), "ucxnio-" + user);
        if (create) {
            try {
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (FileAlreadyExistsException e) {
                removeStale(directory);
            }
        }
        boolean mine = Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)
                && Files.getOwner(directory, LinkOption.NOFOLLOW_LINKS)
                        .getName()
                        .equals(user);
        if (!mine) {
            throw new IOException(directory + " is not a directory of " + user);
        }
        return directory;
    }

    private static void removeStale(Path directory) throws IOException {
        try (Stream<Path> sockets = Files.list(directory)) {
            for (Path socket : (Iterable<Path>) sockets::iterator) {
                String pid = socket.getFileName().toString();
                boolean dead = pid.matches("\\d{1,18}")
                        && ProcessHandle.of(Long.parseLong(pid)).isEmpty();
                if (dead) {
                    Files.deleteIfExists(socket);
                }
            }
        }
    }

    private void serve() {
        while (listener.isOpen()) {
            try (SocketChannel client = listener.accept()) {
                ByteBuffer report = StandardCharsets.UTF_8.encode(UcxNio.report());
                while (report.hasRemaining()) {
                    client.write(report);
                }
            } catch (IOException e) {
                Log.debug("A report was not delivered: " + e.getMessage());
            }
        }
    }

    void close() {
        try {
            listener.close();
            Files.deleteIfExists(path);
        } catch (IOException e) {
            Log.debug("The report socket stays behind: " + e.getMessage());
        }
    }

    /** The report of another process of this user. */
    static String fetch(long pid) throws IOException {
        Path path = directory(false).resolve(Long.toString(pid));
        try (SocketChannel socket = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            ByteBuffer report = ByteBuffer.allocate(MAX_REPORT_BYTES);
            while (report.hasRemaining() && socket.read(report) >= 0) {
                // until the end of the stream
            }
            return StandardCharsets.UTF_8.decode(report.flip()).toString();
        }
    }
}
