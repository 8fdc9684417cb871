package org.ucxnio.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class RendezvousTest {
    private static final byte[] OURS = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    private static final byte[] OTHERS = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};

    @TempDir
    private Path parent;

    private Path path;
    private Rendezvous ours;
    private Rendezvous other;

    @BeforeEach
    void enter() throws IOException {
        path = parent.resolve("meet");
        ours = Rendezvous.open(SessionFixture.sun(), path, OURS);
        other = Rendezvous.open(SessionFixture.sun(), path, OTHERS);
    }

    @AfterEach
    void closeBoth() throws IOException {
        ours.close();
        other.close();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static String process(byte[] token) {
        return "p-" + HexFormat.of().formatHex(token);
    }

    private static String slab(byte[] token, int number) {
        return "s-" + HexFormat.of().formatHex(token) + "-" + number;
    }

    private void make(String name) throws IOException {
        Files.createFile(path.resolve(name));
    }

    // -- names -------------------------------------------------------------------------------------------------------

    @Test
    void shouldHaveASocketForEachProcess() throws IOException {
        assertThat(names()).containsExactly(process(OURS), process(OTHERS));
        ours.connect(process(OTHERS)).close();
        ours.connect(process(OURS)).close();
        assertThat(ours.connect("p-nobody")).isNull();
        other.close();
        assertThat(ours.connect(process(OTHERS))).isNull();
    }

    @Test
    void shouldNameListeners() {
        String begin = "l-" + Long.toUnsignedString(ours.namespace()) + "-";
        assertThat(ours.listenerName(new InetSocketAddress("127.0.0.1", 80))).isEqualTo(begin + "127.0.0.1-80");
        assertThat(ours.listenerName(new InetSocketAddress("0.0.0.0", 80))).isEqualTo(begin + "any-80");
        assertThat(ours.listenerName(new InetSocketAddress("::", 65535))).isEqualTo(begin + "any-65535");
        assertThat(ours.listenerName(new InetSocketAddress("::1", 80))).isEqualTo(begin + "0:0:0:0:0:0:0:1-80");
        assertThat(ours.listenerOfAny(new InetSocketAddress("127.0.0.1", 80))).isEqualTo(begin + "any-80");
    }

    @Test
    void shouldGiveANameToOneProcess() throws IOException {
        assertThat(ours.claim("l-1-any-1")).isTrue();
        assertThat(ours.claim("l-1-any-1")).isTrue();
        assertThat(other.claim("l-1-any-1")).isFalse();
        other.unclaim("l-1-any-1");
        assertThat(names()).contains("l-1-any-1");
        ours.unclaim("l-1-any-1");
        assertThat(names()).doesNotContain("l-1-any-1");
        assertThat(other.claim("l-1-any-1")).isTrue();
    }

    @Test
    void shouldTakeTheNameOfTheDead() throws IOException {
        other.claim("l-1-any-1");
        Object before = ours.identity("l-1-any-1");
        other.close();
        assertThat(ours.claim("l-1-any-1")).isTrue();
        assertThat(ours.identity("l-1-any-1")).isNotEqualTo(before).isEqualTo(ours.identity(process(OURS)));
        assertThat(names()).noneMatch(name -> name.startsWith("n-"));
    }

    @Test
    void shouldLeaveNoNames() throws IOException {
        ours.claim("l-1-any-1");
        ours.leave();
        assertThat(names()).containsExactly(process(OTHERS));
    }

    // -- leftovers ---------------------------------------------------------------------------------------------------

    @Test
    void shouldSweepWhatTheDeadLeft() throws IOException {
        make(slab(OTHERS, 1));
        make(slab(OTHERS, 2));
        other.claim("l-1-any-1");
        other.close();
        Leftovers.sweep(ours);
        assertThat(names()).containsExactly(process(OURS));
    }

    @Test
    void shouldSweepMemoryOfAProcessThatHasGone() throws IOException {
        make("s-ffffffffffffffffffffffffffffffff-1");
        Leftovers.sweep(ours);
        assertThat(names()).containsExactly(process(OURS), process(OTHERS));
    }

    @Test
    void shouldNotTouchTheLiving() throws IOException {
        other.claim("l-1-any-1");
        ours.claim("l-1-any-2");
        make(slab(OTHERS, 1));
        make(slab(OURS, 1));
        List<String> before = names();
        Leftovers.sweep(ours);
        assertThat(names()).isEqualTo(before);
    }

    @Test
    void shouldDeleteNothingElse() throws IOException {
        for (String name : new String[] {
            "precious",
            "s-",
            "s-1",
            "p-",
            "p-ffffffffffffffffffffffffffffffff",
            "p-fffffffffffffffffffffffffffffffff",
            "s-gfffffffffffffffffffffffffffffff-1",
            "s-FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF-1",
            "l-1-any-5",
            "n-1",
            "S-ffffffffffffffffffffffffffffffff-1",
            "report-1"
        }) {
            make(name);
        }
        Files.createDirectory(path.resolve("s-eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee-1"));
        make("s-eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee-1/inside");
        List<String> before = names();
        Leftovers.sweep(ours);
        assertThat(names()).isEqualTo(before);
    }

    /** Between bind and listen a socket refuses. */
    @Test
    void shouldLeaveNewNamesAlone() throws IOException {
        ServerSocketChannel dead = RawSession.listen(path.resolve("n-1"));
        dead.close();
        Leftovers.sweep(ours);
        assertThat(names()).contains("n-1");
        Files.setLastModifiedTime(path.resolve("n-1"), FileTime.fromMillis(System.currentTimeMillis() - 120_000));
        Leftovers.sweep(ours);
        assertThat(names()).doesNotContain("n-1");
    }

    // -- directories -------------------------------------------------------------------------------------------------

    @Test
    void shouldSayWhyADirectoryCannotBeUsed() throws IOException {
        Pairings.check(path);
        Path file = Files.createFile(parent.resolve("file"));
        assertThatIOException().isThrownBy(() -> Pairings.check(file)).withMessage(file + " is not a directory");
        Path nowhere = parent.resolve("no/where");
        assertThatIOException().isThrownBy(() -> Pairings.check(nowhere)).withMessageContaining("no");
        Path link = Files.createSymbolicLink(parent.resolve("link"), path);
        assertThatIOException().isThrownBy(() -> Pairings.check(link)).withMessage(link + " is a link");
    }

    @Test
    void shouldRefuseAPathTooLongForSockets() throws IOException {
        Path longest = parent.resolve("x".repeat(100));
        assertThatIOException()
                .isThrownBy(() -> Pairings.check(longest))
                .withMessageContaining("too long a path for the addresses of sockets");
    }

    @Test
    void shouldTellWhichNetworkNamespaceItIs() throws IOException {
        assertThat(NetworkNamespace.inode()).isPositive();
        Path link = Files.createSymbolicLink(parent.resolve("net"), Path.of("net:[42]"));
        assertThat(NetworkNamespace.inode(link)).isEqualTo(42);
        Path bad = Files.createSymbolicLink(parent.resolve("bad"), Path.of("net"));
        assertThatIOException()
                .isThrownBy(() -> NetworkNamespace.inode(bad))
                .withMessage("the network namespace of this process cannot be read from " + bad);
    }

    @Test
    void shouldHaveADirectoryForEachUser() throws IOException {
        assertThat(Pairings.defaultDirectory().toString()).matches("/dev/shm/ucxnio-[0-9]+");
    }
}
