package org.ucxnio.session;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.ucxnio.jdk.LocalSockets;
import org.ucxnio.memory.SlabName;

/**
 * Where the processes of a user on one host meet: a directory of theirs alone.
 *
 * <pre>
 *     p-TOKEN                     the socket that a process listens on; as long as a connect is not refused the process lives
 *     l-NAMESPACE-ADDRESS-PORT    a hard link to the socket of the process that listens there over TCP; the address may be "any"
 *     s-TOKEN-NUMBER              memory that the process of that token made
 *     n-TOKEN                     a name of the first two kinds that is not ready yet
 * </pre>
 *
 * <p>The process socket is there before any other name of its process, and goes last. Sockets of dead processes refuse; nobody else can
 * have made them listen. Made, and used, by the session thread; {@link #leave} and {@link #hasSlabNames} are for any thread.
 */
final class Rendezvous {
    static final String PROCESS = "p-";
    static final String LISTENER = "l-";
    static final String NEW = "n-";

    /** Bytes that the kernel has for the path of a Unix-domain socket, less the zero at its end. */
    private static final int MAX_PATH_BYTES = 107;

    /** The longest name: a listener with a namespace of 10 digits, an IPv6 address and a port of 5 digits. */
    private static final int MAX_NAME_BYTES = LISTENER.length() + 10 + 1 + 39 + 1 + 5;

    private static final int BACKLOG = 1024;

    private final SelectorProvider platform;
    private final PrivateDirectory directory;
    private final long namespace;
    private final byte[] token;
    private final ServerSocketChannel acceptor;
    private final UserPrincipal user;
    private final Set<String> claimed = ConcurrentHashMap.newKeySet();

    private Rendezvous(SelectorProvider platform, PrivateDirectory directory, long namespace, byte[] token)
            throws IOException {
        this.platform = platform;
        this.directory = directory;
        this.namespace = namespace;
        this.token = token.clone();
        acceptor = platform.openServerSocketChannel(StandardProtocolFamily.UNIX);
        try {
            String fresh = NEW + hexToken();
            // Between bind and listen a socket refuses, like that of a dead process: it gets its name only then.
            LocalSockets.bind(acceptor, UnixDomainSocketAddress.of(path(fresh)), BACKLOG);
            acceptor.configureBlocking(false);
            directory.move(fresh, processName());
            user = directory.attributes(processName()).owner();
        } catch (IOException | RuntimeException | Error e) {
            acceptor.close();
            throw e;
        }
    }

    /** The directory that is used where nothing else was said. */
    static Path defaultPath() throws IOException {
        return Path.of(
                "/dev/shm",
                "ucxnio-" + Integer.toUnsignedString(UserIds.ofThisProcess().effective()));
    }

    /**
     * Whether a directory can be used; makes it where there is none.
     *
     * @throws IOException with one line that says why not
     */
    static void check(Path path) throws IOException {
        enter(path).close();
        NetworkNamespace.inode();
    }

    private static PrivateDirectory enter(Path path) throws IOException {
        PeerUser.checkAvailable();
        PrivateDirectory directory = PrivateDirectory.open(path, true);
        int bytes = directory.path().toString().getBytes(StandardCharsets.UTF_8).length;
        int most = MAX_PATH_BYTES - 1 - MAX_NAME_BYTES;
        if (bytes > most) {
            directory.close();
            throw new IOException(directory.path() + " is too long a path for the addresses of sockets in it: " + bytes
                    + " bytes, at most " + most);
        }
        return directory;
    }

    /**
     * Enters the directory, which is made where there is none, and makes the socket of this process.
     *
     * @param token of this process, which no other has
     */
    static Rendezvous open(SelectorProvider platform, Path path, byte[] token) throws IOException {
        long namespace = NetworkNamespace.inode();
        PrivateDirectory directory = enter(path);
        try {
            return new Rendezvous(platform, directory, namespace, token);
        } catch (IOException | RuntimeException | Error e) {
            directory.close();
            throw e;
        }
    }

    PrivateDirectory directory() {
        return directory;
    }

    long namespace() {
        return namespace;
    }

    byte[] token() {
        return token;
    }

    private String hexToken() {
        return HexFormat.of().formatHex(token);
    }

    /** The name of the socket of this process. */
    String processName() {
        return PROCESS + hexToken();
    }

    private Path path(String name) {
        return directory.path().resolve(name);
    }

    /** Where other processes, and this one, connect. Does not block. */
    ServerSocketChannel acceptor() {
        return acceptor;
    }

    /** The user of this process, and of everybody it talks to. */
    UserPrincipal user() {
        return user;
    }

    // -- names of listeners ------------------------------------------------------------------------------------------

    /** The name of who listens at exactly that address. */
    String listenerName(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        return host.isAnyLocalAddress() ? listenerOfAny(address) : listenerName(numeric(host), address.getPort());
    }

    /** The name of who listens at that port of all addresses. */
    String listenerOfAny(InetSocketAddress address) {
        return listenerName("any", address.getPort());
    }

    private String listenerName(String host, int port) {
        return LISTENER + Long.toUnsignedString(namespace) + "-" + host + "-" + port;
    }

    private static String numeric(InetAddress host) {
        String text = host.getHostAddress();
        int scope = text.indexOf('%');
        return scope < 0 ? text : text.substring(0, scope);
    }

    /** Takes the name of a listener, be it new, ours already or of a dead process. False where another process has it. */
    boolean claim(String name) throws IOException {
        claimed.add(name);
        boolean ours = false;
        try {
            ours = tryClaim(name);
        } finally {
            if (!ours) {
                claimed.remove(name);
            }
        }
        return ours;
    }

    private boolean tryClaim(String name) throws IOException {
        if (link(name) || isOurs(name)) {
            return true;
        }
        SocketChannel holder = connect(name);
        if (holder != null) {
            holder.close();
            return false;
        }
        String fresh = NEW + hexToken();
        directory.delete(fresh);
        link(fresh);
        directory.move(fresh, name);
        return true;
    }

    private boolean link(String name) throws IOException {
        try {
            Files.createLink(path(name), path(processName()));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    private boolean isOurs(String name) throws IOException {
        Object ours = identity(processName());
        return ours != null && ours.equals(identity(name));
    }

    /** Which process a name leads to: equal as long as it is the same and lives. Null where there is no such name. */
    Object identity(String name) throws IOException {
        try {
            return directory.attributes(name).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /** Gives a name back that was claimed. */
    void unclaim(String name) throws IOException {
        if (claimed.remove(name) && isOurs(name)) {
            directory.delete(name);
        }
    }

    // -- connections -------------------------------------------------------------------------------------------------

    /**
     * Connects to a name without waiting. The channel does not block.
     *
     * @return null where nobody listens under that name
     * @throws IOException where a process lives there that has too much to do, or it cannot be told
     */
    SocketChannel connect(String name) throws IOException {
        if (!directory.isSocket(name)) {
            return null;
        }
        SocketChannel channel = platform.openSocketChannel(StandardProtocolFamily.UNIX);
        boolean done = false;
        try {
            channel.configureBlocking(false);
            done = channel.connect(UnixDomainSocketAddress.of(path(name)));
            if (!done) {
                throw new IOException("it has too much to do");
            }
            return channel;
        } catch (ConnectException e) {
            return null;
        } catch (IOException e) {
            if (directory.isSocket(name)) {
                throw e;
            }
            // Gone since the look at it.
            return null;
        } finally {
            if (!done) {
                channel.close();
            }
        }
    }

    // -- the end -----------------------------------------------------------------------------------------------------

    /** Whether a slab of this process has a name still, that is: a peer has not mapped it yet. */
    boolean hasSlabNames() throws IOException {
        String prefix = SlabName.prefix(token);
        for (String name : directory.list()) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** The process ends: its names go. As long as a slab has one its socket keeps its name, so that others find the leftovers. */
    void leave() {
        try {
            for (String name : claimed) {
                unclaim(name);
            }
            if (!hasSlabNames()) {
                directory.delete(processName());
            }
        } catch (IOException | RuntimeException e) {
            // Nobody is there any more to be told. The names are swept as those of a dead process.
        }
    }

    /** Closes what is open, and leaves all names as they are, as a killed process does. */
    void close() throws IOException {
        acceptor.close();
        directory.close();
    }
}
