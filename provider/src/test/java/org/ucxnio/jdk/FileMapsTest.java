package org.ucxnio.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.testing.ChildJvm;

@Timeout(60)
class FileMapsTest {
    private static final int BYTES = 1 << 16;

    @TempDir
    private Path directory;

    private Path path;

    @BeforeEach
    void makeFile() throws IOException {
        path = directory.resolve("mapped");
        Files.write(path, new byte[BYTES]);
    }

    private static ByteBuffer map(Path path) throws IOException {
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return FileMaps.map(file, BYTES);
        }
    }

    private boolean isMapped() throws IOException {
        return Files.readString(Path.of("/proc/self/maps")).contains(path.toString());
    }

    @Test
    void shouldMapTheWholeFileForReadingAndWriting() throws IOException {
        ByteBuffer one = map(path);
        ByteBuffer other = map(path);

        assertThat(one.capacity()).isEqualTo(BYTES);
        assertThat(one.isDirect()).isTrue();
        one.putLong(BYTES - 8, 42);
        assertThat(other.getLong(BYTES - 8)).isEqualTo(42);
        assertThat(Files.readAllBytes(path)[BYTES - 1]).isEqualTo((byte) 42);
    }

    /** A part of it that is all that is left would be memory of nobody otherwise. */
    @Test
    void shouldStayMappedAsLongAsAPartIsUsed() throws IOException {
        ByteBuffer part = map(path).slice(4096, 4096).duplicate();
        for (int i = 0; i < 5; i++) {
            System.gc();
            part.put(i, (byte) 7);
        }
        assertThat(isMapped()).isTrue();
        Reference.reachabilityFence(part);
        part = null;

        await().until(() -> {
            System.gc();
            return !isMapped();
        });
    }

    /** That is what makes it cheap. */
    @Test
    void shouldMapAsASegmentWithoutAnyFlag() throws Exception {
        try (ChildJvm child =
                ChildJvm.start(List.of("-Xlog:class+load"), Map.of(), FileMapsTest.class, path.toString())) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output()).contains("jdk.internal.foreign.MappedMemorySegmentImpl");
        }
    }

    /** Where the JDK's own packages are out of reach. */
    @Test
    void shouldMapInTheUsualWayAsWell() throws Exception {
        try (ChildJvm child = ChildJvm.start(
                List.of("--limit-modules=java.base,java.management,java.logging", "--illegal-native-access=deny"),
                Map.of(),
                FileMapsTest.class,
                path.toString())) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output()).isEqualTo("java.nio.DirectByteBuffer 65536\n");
        }
        assertThat(Files.readAllBytes(path)[3]).isEqualTo((byte) 9);
    }

    public static void main(String[] arguments) throws IOException {
        ByteBuffer mapped = map(Path.of(arguments[0]));
        mapped.put(3, (byte) 9);
        System.out.println(mapped.getClass().getName() + " " + mapped.capacity());
    }
}
