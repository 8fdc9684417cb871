package org.ucxnio.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.jdk.Descriptors;
import org.ucxnio.jdk.Natives;

/** A bell that waits would do so for ever, in a call of the system's. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BellsTest {
    private static final long NAME = 0x0102_0304_0506_0708L;
    private static final int MORE_THAN_ARE_KEPT = 40;
    private static final int MORE_THAN_A_PIPE_HOLDS = 70_000;

    private final Bells bells = new Bells();
    private final List<Pipe> pipes = new ArrayList<>();
    private final int self = (int) ProcessHandle.current().pid();

    @TempDir
    private Path directory;

    @BeforeEach
    void export() {
        Natives.export("sun.nio.ch");
    }

    @AfterEach
    void close() throws IOException {
        for (Pipe pipe : pipes) {
            // Whoever waits for room holds the lock that closing takes.
            while (pipe.source().isOpen() && take(pipe) > 0) {
                Thread.onSpinWait();
            }
        }
        bells.close();
        for (Pipe pipe : pipes) {
            pipe.sink().close();
            pipe.source().close();
        }
    }

    private Pipe open() throws IOException {
        Pipe pipe = Pipe.open();
        pipe.source().configureBlocking(false);
        pipes.add(pipe);
        return pipe;
    }

    private static String name(int descriptor) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
    }

    private static long number(Pipe pipe) throws IOException {
        return Long.parseLong(name(Descriptors.of(pipe.sink())).replaceAll("[^0-9]", ""));
    }

    private boolean ring(Pipe pipe) throws IOException {
        return bells.ring(self, Descriptors.of(pipe.sink()), number(pipe), NAME);
    }

    private static int take(Pipe pipe) throws IOException {
        return pipe.source().read(ByteBuffer.allocate(64));
    }

    private static long ends(long pipe) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(each -> {
                        try {
                            return Files.readSymbolicLink(each).toString().equals("pipe:[" + pipe + "]");
                        } catch (IOException closed) {
                            return false;
                        }
                    })
                    .count();
        }
    }

    @Test
    void shouldRingEachByItself() throws IOException {
        Pipe one = open();
        Pipe other = open();

        assertThat(ring(one)).isTrue();
        assertThat(ring(one)).isTrue();
        assertThat(ring(other)).isTrue();
        assertThat(take(one)).isEqualTo(2 * Bell.BYTES);
        assertThat(take(other)).isEqualTo(Bell.BYTES);
        assertThat(ends(number(one))).as("it is opened once").isEqualTo(3);
    }

    @Test
    void shouldTellForWhomItIsRung() throws IOException {
        Pipe pipe = open();
        ring(pipe);
        ByteBuffer taken = ByteBuffer.allocate(Bell.BYTES);
        pipe.source().read(taken);
        assertThat(taken.getLong(0)).isEqualTo(NAME);
    }

    @Test
    void shouldRefuseAnotherPipeUnderThatDescriptor() throws IOException {
        Pipe one = open();
        Pipe other = open();

        assertThat(bells.ring(self, Descriptors.of(one.sink()), number(other), NAME))
                .isFalse();
        assertThat(bells.ring(self, Descriptors.of(other.sink()) + 1000, number(other), NAME))
                .isFalse();
        assertThat(take(one)).isZero();
        assertThat(take(other)).isZero();
        assertThat(ends(number(one))).isEqualTo(2);
    }

    @Test
    void shouldRefuseAProcessThatThereIsNot() throws IOException {
        Pipe pipe = open();
        assertThat(bells.ring(Integer.MAX_VALUE, Descriptors.of(pipe.sink()), number(pipe), NAME))
                .isFalse();
        assertThat(bells.ring(-1, Descriptors.of(pipe.sink()), number(pipe), NAME))
                .isFalse();
    }

    @Test
    void shouldNeitherWriteToAFileNorCutItShort() throws IOException {
        Path path = directory.resolve("file");
        Files.writeString(path, "content");
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
                for (Path each : all.toList()) {
                    int descriptor = Integer.parseInt(each.getFileName().toString());
                    assertThat(bells.ring(self, descriptor, 1, NAME)).isFalse();
                }
            }
            assertThat(file.size()).isEqualTo(7);
        }
    }

    /** Nobody takes anything out of it: there is a peer that has gone wrong. */
    @Test
    void shouldNotWaitWhereAPipeIsFull() throws IOException {
        Pipe pipe = open();
        int rung = 0;
        while (rung < MORE_THAN_A_PIPE_HOLDS && ring(pipe)) {
            rung++;
        }

        assertThat(rung).isBetween(2 * Bells.MOST_ASKED, MORE_THAN_A_PIPE_HOLDS - 1);
        assertThat(take(pipe)).isPositive();
        assertThat(ring(pipe)).as("it is rung no more").isFalse();
        assertThat(ends(number(pipe))).isEqualTo(2);
    }

    /** To open it for writing alone would wait for somebody who reads. */
    @Test
    void shouldNotWaitForSomebodyWhoReads() throws IOException {
        Pipe pipe = open();
        pipe.source().close();

        assertThat(ring(pipe)).isTrue();
    }

    @Test
    void shouldKeepAFewAlone() throws IOException {
        for (int i = 0; i < MORE_THAN_ARE_KEPT; i++) {
            assertThat(ring(open())).isTrue();
        }
        long kept = 0;
        for (Pipe pipe : pipes) {
            assertThat(take(pipe)).isEqualTo(Bell.BYTES);
            kept += ends(number(pipe)) - 2;
        }
        assertThat(kept).isBetween(1L, MORE_THAN_ARE_KEPT / 2L);
        assertThat(ring(pipes.get(0))).as("one that had to make room").isTrue();
    }

    @Test
    void shouldRingNoneOnceTheSessionIsOver() throws IOException {
        Pipe pipe = open();
        assertThat(ring(pipe)).isTrue();
        bells.close();

        assertThat(ring(pipe)).isFalse();
        assertThat(ends(number(pipe))).isEqualTo(2);
    }
}
