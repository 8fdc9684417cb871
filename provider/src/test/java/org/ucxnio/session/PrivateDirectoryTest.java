package org.ucxnio.session;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class PrivateDirectoryTest {
    @TempDir
    private Path parent;

    private Path path;

    @BeforeEach
    void choosePath() {
        path = parent.resolve("ours");
    }

    private static void allow(Path file, String rights) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    }

    private static String rights(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private void expectRefused(String reason) {
        for (boolean create : new boolean[] {false, true}) {
            assertThatIOException()
                    .isThrownBy(() -> PrivateDirectory.open(path, create))
                    .withMessage(path + reason);
        }
    }

    /** A folder like {@code /proc}, for a process of that user. */
    private Path procOf(int user, int overflow, String map) throws IOException {
        Path proc = Files.createDirectory(parent.resolve("proc"));
        Path self = Files.createDirectory(proc.resolve("self"));
        Files.writeString(self.resolve("status"), "Uid:\t" + user + "\t" + user + "\t" + user + "\t" + user + "\n");
        Files.writeString(self.resolve("uid_map"), map);
        Files.writeString(Files.createDirectories(proc.resolve("sys/kernel")).resolve("overflowuid"), overflow + "\n");
        return proc;
    }

    private int ownUser() throws IOException {
        return (int) Files.getAttribute(parent, "unix:uid");
    }

    // -- which directories are taken ---------------------------------------------------------------------------------

    @Test
    void shouldMakeADirectoryThatIsOursAlone() throws IOException {
        try (PrivateDirectory directory = PrivateDirectory.open(path, true)) {
            assertThat(directory.path()).isEqualTo(path.toRealPath());
            assertThat(rights(path)).isEqualTo("rwx------");
            assertThat(directory.list()).isEmpty();
        }
        PrivateDirectory.open(path, true).close();
        PrivateDirectory.open(path, false).close();
    }

    @Test
    void shouldSayThatThereIsNone() {
        assertThatIOException()
                .isThrownBy(() -> PrivateDirectory.open(path, false))
                .withMessage(path + ": there is no such directory");
    }

    @Test
    void shouldRefuseALink() throws IOException {
        Path target = Files.createDirectory(parent.resolve("target"));
        allow(target, "rwx------");
        Files.createSymbolicLink(path, target);
        expectRefused(" is a link");
    }

    @Test
    void shouldRefuseAFile() throws IOException {
        Files.createFile(path);
        expectRefused(" is not a directory");
    }

    /** It is not opened either: that would take until somebody opens the other end. */
    @Test
    void shouldRefuseAFifoAtOnce() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor())
                .isZero();
        expectRefused(" is not a directory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxr-xr-x", "rwxrwx---", "rwx--x---", "rwx-----x", "r-x------"})
    void shouldRefuseOtherRights(String rights) throws IOException {
        Files.createDirectory(path);
        allow(path, rights);
        int bits = (int) Files.getAttribute(path, "unix:mode") & 0777;
        expectRefused(" has the rights " + Integer.toOctalString(bits) + ", not 700");
    }

    @Test
    void shouldRefuseAnotherUsers() throws IOException {
        PrivateDirectory.open(path, true).close();
        UserIds another = UserIds.readFrom(procOf(ownUser() + 1, 65_534, "0 0 4294967295\n"));
        // Where this process is not root's the directory above is refused first, for the same reason.
        assertThatIOException()
                .isThrownBy(() -> PrivateDirectory.open(path, false, another))
                .withMessageStartingWith(parent.toString())
                .withMessageContaining(" belongs to user " + ownUser())
                .withMessageEndingWith(" to user " + (ownUser() + 1));
    }

    @Test
    void shouldRefuseEveryDirectoryWhereOurNumberStandsForSeveralUsers() throws IOException {
        PrivateDirectory.open(path, true).close();
        UserIds several = UserIds.readFrom(procOf(ownUser(), ownUser(), "0 100000 65536\n"));
        assertThatIOException()
                .isThrownBy(() -> PrivateDirectory.open(path, false, several))
                .withMessageStartingWith(path.toString())
                .withMessageEndingWith("stands for several users");
    }

    @Test
    void shouldRefuseAPlaceWhereOthersCouldExchangeIt() throws IOException {
        for (String rights : new String[] {"rwxrwxrwx", "rwxrwx---", "rwx---rwx"}) {
            allow(parent, rights);
            for (boolean create : new boolean[] {false, true}) {
                assertThatIOException()
                        .isThrownBy(() -> PrivateDirectory.open(path, create))
                        .withMessage(parent + " can be written to by other users and is not sticky");
            }
        }
        assertThat(path).doesNotExist();
    }

    @Test
    void shouldTakeAPlaceWhereOthersMayMakeTheirOwn() throws Exception {
        assertThat(new ProcessBuilder("chmod", "1777", parent.toString())
                        .start()
                        .waitFor())
                .isZero();
        PrivateDirectory.open(path, true).close();
    }

    // -- what is in it -----------------------------------------------------------------------------------------------

    @Test
    void shouldListWhatIsThereNow() throws IOException {
        try (PrivateDirectory directory = PrivateDirectory.open(path, true)) {
            directory.open("a", Set.of(CREATE_NEW, WRITE)).close();
            assertThat(directory.list()).containsExactly("a");
            directory.open("b", Set.of(CREATE_NEW, WRITE)).close();
            assertThat(directory.list()).containsExactlyInAnyOrder("a", "b");
            assertThat(directory.delete("a")).isTrue();
            assertThat(directory.delete("a")).isFalse();
            directory.move("b", "c");
            assertThat(directory.list()).containsExactly("c");
        }
    }

    @Test
    void shouldMakeFilesThatAreOursAlone() throws IOException {
        try (PrivateDirectory directory = PrivateDirectory.open(path, true)) {
            try (FileChannel file = directory.open("a", Set.of(CREATE_NEW, WRITE))) {
                file.write(ByteBuffer.allocate(10));
            }
            assertThat(rights(path.resolve("a"))).isEqualTo("rw-------");
            try (FileChannel file = directory.open("a", Set.of(READ))) {
                assertThat(file.size()).isEqualTo(10);
            }
            assertThatThrownBy(() -> directory.open("b", Set.of(READ))).isInstanceOf(NoSuchFileException.class);
        }
    }

    @Test
    void shouldFollowNoLink() throws IOException {
        Path target = Files.writeString(parent.resolve("target"), "precious");
        try (PrivateDirectory directory = PrivateDirectory.open(path, true)) {
            Files.createSymbolicLink(path.resolve("link"), target);
            assertThatIOException().isThrownBy(() -> directory.open("link", Set.of(READ)));
            assertThatIOException().isThrownBy(() -> directory.open("link", Set.of(WRITE)));
            assertThat(directory.attributes("link").isSymbolicLink()).isTrue();
            assertThat(directory.delete("link")).isTrue();
        }
        assertThat(target).hasContent("precious");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", "/etc/passwd", "../target"})
    void shouldTakeNothingForANameThatLeadsElsewhere(String name) throws IOException {
        try (PrivateDirectory directory = PrivateDirectory.open(path, true)) {
            assertThatThrownBy(() -> directory.delete(name)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> directory.open(name, Set.of(READ))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> directory.move(name, "b")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> directory.move("b", name)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> directory.isSocket(name)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** What another directory of that name holds is not touched, whenever it came there. */
    @Test
    void shouldStayInTheDirectoryThatWasOpened() throws IOException {
        try (PrivateDirectory directory = PrivateDirectory.open(path, true)) {
            directory.open("1234", Set.of(CREATE_NEW, WRITE)).close();
            Path elsewhere = Files.move(path, parent.resolve("elsewhere"));
            Path precious = Files.createFile(Files.createDirectory(path).resolve("1234"));

            assertThat(directory.list()).containsExactly("1234");
            directory.open("5678", Set.of(CREATE_NEW, WRITE)).close();
            assertThat(elsewhere.resolve("5678")).exists();
            assertThat(directory.delete("1234")).isTrue();
            assertThat(elsewhere.resolve("1234")).doesNotExist();
            assertThat(precious).exists();
        }
    }

    @Test
    void shouldTellSocketsFromOtherFiles() throws IOException {
        try (PrivateDirectory directory = PrivateDirectory.open(path, true);
                ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(UnixDomainSocketAddress.of(path.resolve("socket")));
            directory.open("file", Set.of(CREATE_NEW, WRITE)).close();
            Files.createSymbolicLink(path.resolve("link"), path.resolve("socket"));
            assertThat(directory.isSocket("socket")).isTrue();
            assertThat(directory.isSocket("file")).isFalse();
            assertThat(directory.isSocket("link")).isFalse();
            assertThat(directory.isSocket("none")).isFalse();
        }
    }
}
