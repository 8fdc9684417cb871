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
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Skips;
import org.ucxnio.it.programs.NodeMain;

/**
 * The directory of report sockets lies where every user may make files. What another user put there in its stead is neither swept nor
 * used, and in our own nothing goes but sockets that are proven dead.
 */
@Bounded
class ReportDirectoryTest {
    /** Above every process number that Linux gives. */
    private static final long NO_PROCESS = 999_999_900L;

    private static final List<String> NUMBERS = List.of("999999901", "999999902", "2147483647");

    private static final int ANOTHER_USER = 54_321;

    /** In the place of {@code /tmp}. */
    @TempDir
    private Path tmp;

    private Path directory;

    @BeforeEach
    void openForAll() throws Exception {
        assertThat(new ProcessBuilder("chmod", "1777", tmp.toString()).start().waitFor())
                .isZero();
        directory = tmp.resolve("ucxnio-" + System.getProperty("user.name"));
    }

    private JvmBuilder builder() {
        return JvmBuilder.of(Flavour.DEFAULTS, NodeMain.class)
                .property("java.io.tmpdir", tmp)
                .property("java.util.logging.SimpleFormatter.format", "LOG %4$s %5$s%n");
    }

    private static Path directoryOfNumbers(Path path, String rights) throws IOException {
        Files.createDirectory(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(rights));
        for (String number : NUMBERS) {
            Files.writeString(path.resolve(number), "precious");
        }
        return path;
    }

    private static void give(Path path, int user) throws IOException {
        try {
            Files.setAttribute(path, "unix:uid", user, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            Skips.skip("a file cannot be given to another user: " + e);
        }
    }

    private static void awaitLine(Node node, String expected) {
        Awaitility.await()
                .untilAsserted(() -> assertThat(node.jvm().errorLines()).contains(expected));
    }

    /** Starts a process and lets it end: it works, touches nothing, and says why there is no report. */
    private void expectUntouched(Path folder, String reason) throws Exception {
        try (Node node = Node.start(builder())) {
            assertThat(node.traffic().active()).isTrue();
            node.report();
            assertThat(folder.toFile().list()).containsExactlyInAnyOrderElementsOf(NUMBERS);
            awaitLine(node, "LOG INFO No report of this process from outside: " + reason);
            end(node);
        }
        assertThat(folder.toFile().list()).containsExactlyInAnyOrderElementsOf(NUMBERS);
    }

    private static void end(Node node) throws Exception {
        node.jvm().signal("TERM");
        node.jvm().awaitExit(Duration.ofSeconds(20));
        node.expectQuiet();
    }

    @Test
    void shouldTouchNothingInAnotherUsersDirectory() throws Exception {
        directoryOfNumbers(directory, "rwxrwxrwx");
        give(directory, ANOTHER_USER);
        expectUntouched(
                directory,
                directory + " belongs to user " + ANOTHER_USER + ", not to user "
                        + Files.getAttribute(tmp, "unix:uid"));
    }

    @Test
    void shouldNotFollowALinkToADirectoryOfOurs() throws Exception {
        Path precious = directoryOfNumbers(tmp.resolve("database"), "rwx------");
        Files.createSymbolicLink(directory, precious);
        expectUntouched(precious, directory + " is a link");
    }

    @Test
    void shouldNotFollowALinkThatAnotherUserMade() throws Exception {
        Path precious = directoryOfNumbers(tmp.resolve("database"), "rwx------");
        give(Files.createSymbolicLink(directory, precious), ANOTHER_USER);
        expectUntouched(precious, directory + " is a link");
    }

    @Test
    void shouldTouchNothingInADirectoryThatOthersCanEnter() throws Exception {
        directoryOfNumbers(directory, "rwxr-xr-x");
        expectUntouched(directory, directory + " has the rights 755, not 700");
    }

    /** A process that cannot be seen may be one of another PID namespace. */
    @Test
    void shouldRemoveDeadSocketsAlone() throws Exception {
        directoryOfNumbers(directory, "rwx------");
        Path living = directory.resolve(Long.toString(NO_PROCESS));
        Path dead = directory.resolve(Long.toString(NO_PROCESS + 9));
        bind(dead).close();
        try (ServerSocketChannel listener = bind(living);
                Node node = Node.start(builder())) {
            awaitSocket(node);
            assertThat(dead).doesNotExist();
            assertThat(living).exists();
            assertThat(directory.toFile().list()).hasSize(NUMBERS.size() + 2).containsAll(NUMBERS);
            assertThat(listener.isOpen()).isTrue();
            end(node);
            assertThat(directory.toFile().list()).hasSize(NUMBERS.size() + 1).containsAll(NUMBERS);
        }
    }

    /** A process opens its socket a little behind its start. */
    private Path awaitSocket(Node node) throws InterruptedException {
        node.report();
        Path socket = directory.resolve(Long.toString(node.jvm().pid()));
        Awaitility.await().atMost(ChildJvm.PATIENCE).until(() -> Files.exists(socket));
        return socket;
    }

    private static ServerSocketChannel bind(Path path) throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path));
    }

    @Test
    void shouldRemoveTheSocketOfAKilledProcessAndGiveTheReportOfALivingOne() throws Exception {
        try (Node killed = Node.start(builder())) {
            Path socket = awaitSocket(killed);
            killed.jvm().kill();
            assertThat(socket).exists();
            try (Node next = Node.start(builder())) {
                awaitSocket(next);
                assertThat(directory.toFile().list())
                        .containsExactly(Long.toString(next.jvm().pid()));
                try (ChildJvm reader = JvmBuilder.of(Flavour.RINGS, "org.ucxnio.Main")
                        .property("java.io.tmpdir", tmp)
                        .arguments(next.jvm().pid())
                        .start()) {
                    reader.expect("process");
                    assertThat(reader.awaitExit(ChildJvm.PATIENCE)).isZero();
                }
            }
        }
    }

    @Test
    void shouldGiveTheReportToNobodyElse() throws Exception {
        String[] another = {"setpriv", "--reuid=" + ANOTHER_USER, "--regid=" + ANOTHER_USER, "--clear-groups"};
        give(Files.createFile(tmp.resolve("given")), ANOTHER_USER);
        try (Node node = Node.start(builder())) {
            node.report();
            try (ChildJvm reader = JvmBuilder.of(Flavour.RINGS, "org.ucxnio.Main")
                    .prefix(another)
                    .forAnybody()
                    .property("java.io.tmpdir", tmp)
                    .property("user.name", System.getProperty("user.name"))
                    .arguments(node.jvm().pid())
                    .start()) {
                assertThat(reader.awaitExit(ChildJvm.PATIENCE)).isEqualTo(1);
                assertThat(String.join("\n", reader.errorLines()))
                        .contains("gives no report")
                        .contains(directory + " belongs to user ");
            }
        }
    }
}
