package org.ucxnio.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {
    private static final long MINUTE = 60_000;

    @TempDir
    private Path folder;

    private Path file(String name, long ageMillis) throws IOException {
        Path file = Files.write(folder.resolve(name), new byte[100]);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusMillis(ageMillis)));
        return file;
    }

    private int sweep() {
        return new Leftovers(folder, Path.of("/proc"), MINUTE).sweep();
    }

    @Test
    void shouldRemoveWhatIsOldAndNobodyUses() throws IOException {
        Path old = file("ucx_shm_posix_1a2b", 2 * MINUTE);
        assertThat(sweep()).isEqualTo(1);
        assertThat(old).doesNotExist();
        assertThat(sweep()).isZero();
    }

    @Test
    void shouldLeaveWhatMayBeInTheMaking() throws IOException {
        Path young = file("ucx_shm_posix_1a2b", MINUTE / 2);
        assertThat(sweep()).isZero();
        assertThat(young).exists();
    }

    @Test
    void shouldLeaveOtherFiles() throws IOException {
        Path other = file("sem.mine", 2 * MINUTE);
        Path link = Files.createSymbolicLink(folder.resolve("ucx_shm_posix_2"), other);
        Files.createDirectory(folder.resolve("ucx_shm_posix_3"));
        assertThat(sweep()).isZero();
        assertThat(other).exists();
        assertThat(link).exists();
    }

    @Test
    void shouldLeaveWhatAProcessHasMapped() throws IOException {
        Path used = file("ucx_shm_posix_4c5d", 2 * MINUTE);
        try (FileChannel channel = FileChannel.open(used, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 100);
            Files.setLastModifiedTime(used, FileTime.from(Instant.now().minusMillis(2 * MINUTE)));
            assertThat(sweep()).isZero();
            assertThat(used).exists();
            mapped.put(0, (byte) 1);
        }
    }

    /** Something that another user owns; where everything is ours we may give something away. */
    private Path anotherUsers(Path mine) throws IOException {
        Path root = Path.of("/");
        if (!Files.getOwner(root).equals(Files.getOwner(mine))) {
            return root;
        }
        Path given = Files.createFile(folder.resolve("given"));
        Files.setOwner(
                given, given.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
        return given;
    }

    @Test
    void shouldLeaveWhatIsAnotherUsers() throws IOException {
        Path old = file("ucx_shm_posix_1a2b", 2 * MINUTE);
        Path processes = Files.createDirectory(folder.resolve("proc"));
        Path self = Files.createSymbolicLink(processes.resolve("self"), anotherUsers(old));
        Leftovers leftovers = new Leftovers(folder, processes, MINUTE);
        assertThat(leftovers.sweep()).isZero();
        assertThat(old).exists();

        Files.delete(self);
        Files.createSymbolicLink(self, folder);
        assertThat(leftovers.sweep()).isEqualTo(1);
    }

    @Test
    void shouldAskEveryProcessThatIsStillThere() throws IOException {
        Path used = file("ucx_shm_posix_4c5d", 2 * MINUTE);
        Path unused = file("ucx_shm_posix_6e7f", 2 * MINUTE);
        Path processes = Files.createDirectory(folder.resolve("proc"));
        Files.createSymbolicLink(processes.resolve("self"), folder);
        for (String gone : new String[] {"17", "19"}) {
            Files.createDirectory(processes.resolve(gone));
        }
        Path user = Files.createDirectory(processes.resolve("18"));
        Files.writeString(user.resolve("maps"), "7f00-7f10 rw-s 00000000 00:19 4711 " + used + "\n");

        assertThat(new Leftovers(folder, processes, MINUTE).sweep()).isEqualTo(1);
        assertThat(used).exists();
        assertThat(unused).doesNotExist();
    }

    @Test
    void shouldDoWithoutAFolder() {
        assertThat(new Leftovers(folder.resolve("none"), Path.of("/proc"), MINUTE).sweep())
                .isZero();
    }
}
