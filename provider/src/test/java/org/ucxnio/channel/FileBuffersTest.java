package org.ucxnio.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileBuffersTest {
    private static final int PAGE = 4096;
    private static final int BYTES = 3 * FileBuffers.PIECE_BYTES;

    @TempDir
    private Path directory;

    private MappedByteBuffer map(MapMode mode) throws IOException {
        try (FileChannel file = FileChannel.open(
                directory.resolve("file"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            if (file.size() < BYTES) {
                file.write(ByteBuffer.wrap(new byte[1]), BYTES - 1);
            }
            return file.map(mode, 0, BYTES);
        }
    }

    @Test
    void shouldTellThemFromOthers() throws IOException {
        assertThat(FileBuffers.isOne(ByteBuffer.allocate(8))).isFalse();
        ByteBuffer direct = ByteBuffer.allocateDirect(8);
        assertThat(FileBuffers.isOne(direct)).isFalse();
        assertThat(FileBuffers.isOne(direct.slice(1, 2))).isFalse();
        assertThat(FileBuffers.isOne(direct.asReadOnlyBuffer())).isFalse();
        for (MapMode mode : new MapMode[] {MapMode.READ_ONLY, MapMode.READ_WRITE, MapMode.PRIVATE}) {
            MappedByteBuffer mapped = map(mode);
            assertThat(FileBuffers.isOne(mapped)).isTrue();
            assertThat(FileBuffers.isOne(mapped.slice(5000, 10))).isTrue();
            assertThat(FileBuffers.isOne(mapped.duplicate())).isTrue();
            assertThat(FileBuffers.isOne(mapped.asReadOnlyBuffer())).isTrue();
            assertThat(FileBuffers.isOne(mapped.slice(BYTES, 0))).isFalse();
        }
    }

    @Test
    void shouldGiveAPartOfWhatIsInMemoryAndACopyOfWhatIsNot() throws IOException {
        MappedByteBuffer mapped = map(MapMode.READ_WRITE);
        mapped.position(PAGE);

        ByteBuffer copy = FileBuffers.piece(mapped);
        assertThat(copy.isDirect()).isFalse();
        assertThat(copy.remaining()).isEqualTo(FileBuffers.PIECE_BYTES);
        assertThat(mapped.position()).isEqualTo(PAGE);

        mapped.load();
        mapped.put(PAGE, (byte) 7);
        ByteBuffer part = FileBuffers.piece(mapped);
        assertThat(part.isDirect()).isTrue();
        assertThat(part.remaining()).isEqualTo(FileBuffers.PIECE_BYTES);
        assertThat(part.get(0)).isEqualTo((byte) 7);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTakeWhatWasRead(boolean loaded) throws IOException {
        MappedByteBuffer mapped = map(MapMode.READ_WRITE);
        if (loaded) {
            mapped.load();
        }
        mapped.position(PAGE - 1);
        byte[] bytes = new byte[2 * PAGE];
        new Random(1).nextBytes(bytes);

        ByteBuffer piece = FileBuffers.piece(mapped);
        assertThat(piece.isDirect()).isEqualTo(loaded);
        assertThat(piece.remaining()).isEqualTo(FileBuffers.PIECE_BYTES);
        piece.put(bytes);
        FileBuffers.take(piece, mapped);

        assertThat(mapped.position()).isEqualTo(PAGE - 1 + bytes.length);
        byte[] found = new byte[bytes.length];
        mapped.get(PAGE - 1, found);
        assertThat(found).isEqualTo(bytes);
        assertThat(mapped.get(PAGE - 1 + bytes.length)).isZero();
    }

    @Test
    void shouldFailAsTheKernelDoesWhereTheFileWasCutShort() throws IOException {
        MappedByteBuffer mapped = map(MapMode.READ_WRITE);
        Files.write(directory.resolve("file"), new byte[0]);

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> FileBuffers.piece(mapped)).isExactlyInstanceOf(IOException.class);
            assertThatThrownBy(() -> FileBuffers.piece(mapped)).isExactlyInstanceOf(IOException.class);
        }
        assertThat(mapped.position()).isZero();
    }

    @Test
    void shouldCopyForThreadsThatAreInterrupted() throws IOException {
        MappedByteBuffer mapped = map(MapMode.READ_ONLY);
        ByteBuffer copy;
        Thread.currentThread().interrupt();
        try {
            copy = FileBuffers.piece(mapped);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(copy.remaining()).isEqualTo(FileBuffers.PIECE_BYTES);
    }
}
