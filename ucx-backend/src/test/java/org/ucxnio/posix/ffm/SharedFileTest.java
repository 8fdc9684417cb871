package org.ucxnio.posix.ffm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedFileTest {
    private static final int SIZE_BYTES = 1000;

    /** The descriptor that a key names, behind the process number. */
    private static int descriptor(byte[] key) {
        return ByteBuffer.wrap(key).order(ByteOrder.nativeOrder()).getInt(Long.BYTES);
    }

    @Test
    void shouldKeepOtherUsersOut() throws Exception {
        SharedFile file = SharedFile.create(SIZE_BYTES);
        try {
            Path path = Path.of("/proc/self/fd", Integer.toString(descriptor(file.key())));
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rw-------");
        } finally {
            file.close();
        }
    }

    @Test
    void shouldLetTheSameUserIn() throws Exception {
        SharedFile file = SharedFile.create(SIZE_BYTES);
        try {
            SharedFile opened = SharedFile.open(file.key(), SIZE_BYTES);
            opened.close();
        } finally {
            file.close();
        }
    }

    private static byte[] changed(byte[] key, int at, int value) {
        return ByteBuffer.wrap(key.clone())
                .order(ByteOrder.nativeOrder())
                .putInt(at, value)
                .array();
    }

    /** The number under which this process has a file open. */
    private static int descriptorOf(Path file) throws IOException {
        try (Stream<Path> links = Files.list(Path.of("/proc/self/fd"))) {
            for (Path link : (Iterable<Path>) links::iterator) {
                if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).equals(file)) {
                    return Integer.parseInt(link.getFileName().toString());
                }
            }
        }
        throw new IOException("Not open: " + file);
    }

    @Test
    void shouldRefuseWhatIsNotAsItsKeySays() throws Exception {
        SharedFile file = SharedFile.create(SIZE_BYTES);
        try {
            byte[] key = file.key();
            assertThatIOException().isThrownBy(() -> SharedFile.open(key, SIZE_BYTES + 8));
            byte[] larger = changed(key, Long.BYTES + Integer.BYTES, SIZE_BYTES + 8);
            assertThatIOException().isThrownBy(() -> SharedFile.open(larger, SIZE_BYTES + 8));
            byte[] anothersToken = changed(key, SharedFile.KEY_BYTES - Integer.BYTES, 0);
            assertThatIOException().isThrownBy(() -> SharedFile.open(anothersToken, SIZE_BYTES));
            assertThatIOException().isThrownBy(() -> SharedFile.open(Arrays.copyOf(key, 8), SIZE_BYTES));
        } finally {
            file.close();
        }
    }

    /** A file of the right size that its owner could cut under our hands. */
    @Test
    void shouldRefuseMemoryThatCanShrink(@TempDir Path folder) throws Exception {
        Path path = Files.createFile(folder.toRealPath().resolve("file"));
        SharedFile sealed = SharedFile.create(SIZE_BYTES);
        try (RandomAccessFile open = new RandomAccessFile(path.toFile(), "rw")) {
            open.setLength(Files.size(Path.of("/proc/self/fd", Integer.toString(descriptor(sealed.key())))));
            byte[] key = changed(sealed.key(), Long.BYTES, descriptorOf(path));
            assertThatIOException()
                    .isThrownBy(() -> SharedFile.open(key, SIZE_BYTES))
                    .withMessageContaining("no sealed memory");
        } finally {
            sealed.close();
        }
    }
}
