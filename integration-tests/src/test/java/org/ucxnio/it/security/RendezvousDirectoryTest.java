package org.ucxnio.it.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.PrivateShm;
import org.ucxnio.it.harness.Rendezvous;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.harness.Traffic;
import org.ucxnio.it.programs.EchoServer;
import org.ucxnio.it.programs.NodeMain;

/**
 * The directory where processes meet is one that no other user can enter, or it is not used: an error at the start where somebody named
 * it, plain TCP with the reason in the report where it is the one by default.
 */
@Bounded
class RendezvousDirectoryTest {
    private static final int ANOTHER_USER = 54_321;
    private static final int COUNT = 300_000;

    /** Where the directory is by default, for the user of the tests. */
    private static final String DEFAULT_NAME = "ucxnio-";

    private PrivateShm shm;

    /** Where the processes of a test see their own {@code /dev/shm}, and where this one sees it. */
    private static final Path INSIDE = Path.of("/dev/shm");

    @BeforeEach
    void open() {
        try {
            shm = PrivateShm.open("64m");
        } catch (IOException e) {
            Skips.skip(e.getMessage());
        }
    }

    @AfterEach
    void close() {
        if (shm != null) {
            shm.close();
        }
    }

    /** What is wrong with the directory. */
    enum Fault {
        NO_DIRECTORY("is not a directory") {
            @Override
            void make(Path path) throws IOException {
                Files.createFile(path);
            }
        },
        A_LINK("is a link") {
            @Override
            void make(Path path) throws IOException {
                Path other = Files.createDirectory(path.resolveSibling("other"));
                allow(other, "rwx------");
                Files.createSymbolicLink(path, Path.of("other"));
            }
        },
        OPEN_TO_OTHERS("has the rights 755, not 700") {
            @Override
            void make(Path path) throws IOException {
                allow(Files.createDirectory(path), "rwxr-xr-x");
            }
        },
        ANOTHER_USERS("belongs to user " + ANOTHER_USER) {
            @Override
            void make(Path path) throws IOException {
                allow(Files.createDirectory(path), "rwx------");
                give(path, ANOTHER_USER);
            }
        };

        private final String complaint;

        Fault(String complaint) {
            this.complaint = complaint;
        }

        abstract void make(Path path) throws IOException;

        private static void allow(Path path, String rights) throws IOException {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
        }

        private static void give(Path path, int user) throws IOException {
            try {
                Files.setAttribute(path, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
            } catch (IOException e) {
                Skips.skip("a file cannot be given to another user: " + e);
            }
        }
    }

    private JvmBuilder builder() {
        return JvmBuilder.of(Flavour.RINGS, NodeMain.class).defaultRendezvous().prefix(shm.words());
    }

    /** A program that opens a channel of ours in its first thread. */
    private ChildJvm startEcho(Path rendezvous) throws IOException {
        return JvmBuilder.of(Flavour.RINGS, EchoServer.class)
                .prefix(shm.words())
                .property(Rendezvous.PROPERTY, rendezvous)
                .arguments("127.0.0.1", Ports.free(), Mode.BLOCKING)
                .start();
    }

    private static void join(Node server, Node client, String name) throws Exception {
        int port = Ports.free();
        server.call("listen l 127.0.0.1 " + port);
        client.call("connect " + name + " 127.0.0.1 " + port + " BLOCKING 7");
        server.call("accept " + name + " l BLOCKING 7");
    }

    private static void exchange(Node server, Node client, String name) throws Exception {
        client.transfer(server, name, COUNT);
        server.transfer(client, name, COUNT);
    }

    @ParameterizedTest
    @EnumSource
    void shouldNotStartWithADirectoryThatWasNamedAndCannotBeUsed(Fault fault) throws Exception {
        fault.make(shm.path().resolve("named"));
        try (ChildJvm jvm = startEcho(INSIDE.resolve("named"))) {
            assertThat(jvm.awaitExit(ChildJvm.PATIENCE)).isNotZero();
            assertThat(String.join("\n", jvm.errorLines()))
                    .contains(Rendezvous.PROPERTY)
                    .contains(fault.complaint);
        }
    }

    @Test
    void shouldNotStartWithADirectoryInADirectoryThatIsNot() throws Exception {
        try (ChildJvm jvm = startEcho(INSIDE.resolve("nothing/there"))) {
            assertThat(jvm.awaitExit(ChildJvm.PATIENCE)).isNotZero();
            assertThat(String.join("\n", jvm.errorLines())).contains(Rendezvous.PROPERTY);
        }
    }

    @Test
    void shouldNotStartWithTooLongAPath() throws Exception {
        try (ChildJvm jvm = startEcho(INSIDE.resolve("x".repeat(100)))) {
            assertThat(jvm.awaitExit(ChildJvm.PATIENCE)).isNotZero();
            assertThat(String.join("\n", jvm.errorLines()))
                    .contains(Rendezvous.PROPERTY)
                    .contains("too long");
        }
    }

    private static int thisUser() throws IOException {
        return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    }

    @ParameterizedTest
    @EnumSource
    void shouldBePlainWhereTheDefaultCannotBeUsed(Fault fault) throws Exception {
        Path path = shm.path().resolve(DEFAULT_NAME + thisUser());
        fault.make(path);
        try (Node server = Node.start(builder());
                Node client = Node.start(builder())) {
            join(server, client, "c");
            exchange(server, client, "c");
            for (Node node : List.of(server, client)) {
                Traffic traffic = node.traffic();
                assertThat(traffic.tcpReceived()).isEqualTo(COUNT);
                assertThat(traffic.rings()).isZero();
                // The session's thread finds out why, beside the one that reads and writes.
                Awaitility.await().untilAsserted(() -> assertThat(node.report()).contains(fault.complaint));
                node.expectQuiet();
            }
            if (Files.isDirectory(path)) {
                assertThat(path.toFile().list()).isEmpty();
            }
        }
    }

    /** Processes make the directory, tidy up behind dead ones and leave all else as it is. */
    @Test
    void shouldDeleteNothingButWhatDeadProcessesLeft() throws Exception {
        Path path = Files.createDirectory(shm.path().resolve("named"));
        Fault.allow(path, "rwx------");
        String token = "0123456789abcdef0123456789abcdef";
        List<String> precious = List.of(
                "notes", "s-", "p-", "l-", "s-notes-1", "p-" + token, "l-" + token, "p-" + token + ".txt", "sheet-1");
        for (String name : precious) {
            Files.writeString(path.resolve(name), "precious");
        }
        String living = token.replace('0', '1');
        String dead = token.replace('0', '2');
        try (ServerSocketChannel listener = bind(path.resolve("p-" + living))) {
            Files.writeString(path.resolve("s-" + living + "-0"), "memory");
            bind(path.resolve("p-" + dead)).close();
            Files.writeString(path.resolve("s-" + dead + "-0"), "memory");
            Path named = INSIDE.resolve("named");
            try (Node server = Node.start(builder().property(Rendezvous.PROPERTY, named));
                    Node client = Node.start(builder().property(Rendezvous.PROPERTY, named))) {
                join(server, client, "c");
                server.awaitRings(1);
                client.awaitRings(1);
                exchange(server, client, "c");
                List<String> names = List.of(path.toFile().list());
                assertThat(names).containsAll(precious);
                assertThat(names).contains("p-" + living, "s-" + living + "-0");
                assertThat(names).doesNotContain("p-" + dead, "s-" + dead + "-0");
                assertThat(listener.isOpen()).isTrue();
            }
        }
    }

    private static ServerSocketChannel bind(Path path) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path));
    }

    /** A process that is killed leaves names behind; the next one on its port has them, and is found. */
    @Test
    void shouldReplaceTheNameOfADeadProcess() throws Exception {
        int port = Ports.free();
        try (Node client = Node.start(builder())) {
            for (int round = 0; round < 3; round++) {
                try (Node server = Node.start(builder())) {
                    server.call("listen l 127.0.0.1 " + port);
                    String name = "c" + round;
                    client.call("connect " + name + " 127.0.0.1 " + port + " BLOCKING 7");
                    server.call("accept " + name + " l BLOCKING 7");
                    server.awaitRings(1);
                    exchange(server, client, name);
                    server.jvm().kill();
                }
            }
            client.expectQuiet();
        }
    }

    /** Nothing that is in the directory, or on its way, can be read by others. */
    @Test
    void shouldBeClosedToOthers() throws Exception {
        try (Node server = Node.start(builder());
                Node client = Node.start(builder())) {
            join(server, client, "c");
            server.awaitRings(1);
            Path path = shm.path().resolve(DEFAULT_NAME + thisUser());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rwx------");
            String[] another = {"setpriv", "--reuid=" + ANOTHER_USER, "--regid=" + ANOTHER_USER, "--clear-groups", "ls"
            };
            Process look = new ProcessBuilder(java.util.stream.Stream.of(shm.words(), another, new String[] {
                                INSIDE.resolve(path.getFileName()).toString()
                            })
                            .flatMap(java.util.stream.Stream::of)
                            .toList())
                    .start();
            assertThat(look.waitFor()).isNotZero();
        }
    }
}
