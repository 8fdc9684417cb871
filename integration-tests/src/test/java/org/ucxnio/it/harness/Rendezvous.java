package org.ucxnio.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A directory in which processes of this host find each other, of one test or one test JVM. It is gone after {@link #close}, or with
 * this JVM. Thread-safe.
 */
public final class Rendezvous implements AutoCloseable {
    public static final String PROPERTY = "ucxnio.rendezvous";

    /** What the names of files with memory begin with: they have names for a moment only, until both sides have mapped them. */
    public static final String SLAB = "s-";

    /** What the names of sockets begin with that do not listen yet. */
    private static final String NEW = "n-";

    /** What the names of listeners begin with. */
    public static final String LISTENER = "l-";

    /** What the names of processes begin with. */
    public static final String PROCESS = "p-";

    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static Rendezvous shared;

    private final Path path;
    private final Thread reaper = new Thread(this::remove, "rendezvous-reaper");

    private Rendezvous(Path path) {
        this.path = path;
        Runtime.getRuntime().addShutdownHook(reaper);
    }

    /** Makes one. */
    public static Rendezvous create() {
        try {
            Path above = Files.isDirectory(SHARED_MEMORY) ? SHARED_MEMORY : Path.of("/tmp");
            return new Rendezvous(Files.createTempDirectory(
                    above,
                    "ucxnio-it-",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** That of this JVM and of all children that are given no other. */
    public static synchronized Rendezvous ofThisJvm() {
        if (shared == null) {
            shared = create();
        }
        return shared;
    }

    public Path path() {
        return path;
    }

    /** The names in it that begin so, sorted. */
    public List<String> names(String prefix) throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    /** Waits until no memory has a name any more. */
    public void awaitNoSlabs() {
        Awaitility.await("no names of memory in " + path)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> names(SLAB).isEmpty());
    }

    /**
     * Waits until nothing is left in it of processes that have gone: every socket answers, and no memory has a name. A socket that had not
     * got its name yet stays for a minute, as nobody can tell whether it will.
     */
    public void awaitNoLeftovers() {
        Awaitility.await("no leftovers in " + path)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(leftovers()).isEmpty());
    }

    private List<String> leftovers() throws IOException {
        List<String> dead = new ArrayList<>();
        for (String name : names("")) {
            boolean isSocket = name.startsWith(PROCESS) || name.startsWith(LISTENER);
            if (!name.startsWith(NEW) && !(isSocket && answers(path.resolve(name)))) {
                dead.add(name);
            }
        }
        return dead;
    }

    private static boolean answers(Path socket) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return channel.isConnected();
        } catch (ConnectException refused) {
            return false;
        } catch (SocketException e) {
            if (Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
                throw e;
            }
            // Removed since it was listed.
            return true;
        }
    }

    /** The name of the one listener on a port. */
    public Path listener(int port) throws IOException {
        Awaitility.await("a name for port " + port)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> listeners(port).size() == 1);
        return path.resolve(listeners(port).get(0));
    }

    private List<String> listeners(int port) throws IOException {
        return names(LISTENER).stream()
                .filter(name -> name.endsWith("-" + port))
                .toList();
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(reaper);
        remove();
    }

    private void remove() {
        try (Stream<Path> files = Files.list(path)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
            Files.delete(path);
        } catch (NoSuchFileException e) {
            // A process that ends has removed what was its own.
        } catch (IOException e) {
            System.err.println("Left behind: " + path + ": " + e);
        }
    }
}
