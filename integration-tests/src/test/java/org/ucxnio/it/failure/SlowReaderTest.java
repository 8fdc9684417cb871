package org.ucxnio.it.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Proc;
import org.ucxnio.it.programs.EndlessWriter;
import org.ucxnio.it.programs.PeerMain;

/** A fast writer and a reader that stops now and then: the memory of both stays bounded, every byte arrives. */
@Bounded
class SlowReaderTest {
    private static final long MORE_KIB = 40 << 10;
    private static final int PIECE = 40_000_000;

    /** A heap of one size from the start, so that what grows is something else. */
    private static final String[] FIXED_HEAP = {"-Xms32m", "-Xmx32m", "-XX:+AlwaysPreTouch"};

    private int lastId;

    @ParameterizedTest
    @CsvSource({"JDK, BLOCKING", "JDK, SELECTOR", "RINGS, BLOCKING", "RINGS, SELECTOR", "UCX_MESSAGES, SELECTOR"})
    void shouldBoundTheMemoryOfBothSides(Flavour flavour, Mode mode) throws Exception {
        int port = Ports.free();
        try (ChildJvm reader =
                JvmBuilder.of(flavour, PeerMain.class).flags(FIXED_HEAP).start()) {
            reader.expect("READY");
            ask(reader, "listen l 127.0.0.1 " + port);
            try (ChildJvm writer = JvmBuilder.of(flavour, EndlessWriter.class)
                    .flags(FIXED_HEAP)
                    .arguments(port, mode)
                    .start()) {
                writer.expect("CONNECTED");
                ask(reader, "accept c l " + mode);
                stopAndGo(reader, writer, mode);
                writer.send("stop");
                long rest = Long.parseLong(ask(reader, "readToEnd c"));
                assertThat(3L * PIECE + rest).isEqualTo(Long.parseLong(writer.expect("TOTAL ")));
                assertThat(List.of(reader, writer))
                        .allMatch(jvm -> jvm.isAlive() && jvm.crashReport().isEmpty());
            }
        }
    }

    private void stopAndGo(ChildJvm reader, ChildJvm writer, Mode mode) throws Exception {
        List<Long> readerKib = new ArrayList<>();
        List<Long> writerKib = new ArrayList<>();
        long before = awaitStall(writer);
        for (int round = 0; round < 3; round++) {
            readerKib.add(Proc.residentKib(reader.pid()));
            writerKib.add(Proc.residentKib(writer.pid()));
            assertThat(ask(reader, "read c " + PIECE)).isEqualTo(Integer.toString(PIECE));
            long after = awaitStall(writer);
            // It went on, and what is under way is no more than what fits into the buffers.
            assertThat(after).isBetween(before + 1, (round + 1L) * PIECE + (MORE_KIB << 10));
            before = after;
        }
        assertThat(stalls(writer)).isGreaterThanOrEqualTo(mode == Mode.SELECTOR ? 4 : 0);
        assertThat(Proc.residentKib(reader.pid())).as("reader %s", readerKib).isLessThan(readerKib.get(0) + MORE_KIB);
        assertThat(Proc.residentKib(writer.pid())).as("writer %s", writerKib).isLessThan(writerKib.get(0) + MORE_KIB);
    }

    /** Waits until the writer gets nothing rid any more. */
    private static long awaitStall(ChildJvm writer) throws InterruptedException {
        long last = -1;
        long written = written(writer);
        while (written != last || written == 0) {
            TimeUnit.MILLISECONDS.sleep(300);
            last = written;
            written = written(writer);
        }
        return written;
    }

    private static long written(ChildJvm writer) {
        return Long.parseLong(writer.ask("written", "WRITTEN ").split(" ")[0]);
    }

    private static long stalls(ChildJvm writer) {
        return Long.parseLong(writer.ask("written", "WRITTEN ").split(" ")[1]);
    }

    private String ask(ChildJvm peer, String command) throws IOException {
        lastId++;
        peer.send(lastId + " " + command);
        String answer =
                peer.expect(PeerMain.ANSWER + lastId, Duration.ofSeconds(50)).strip();
        if (!answer.startsWith("ok")) {
            throw new IOException(command + ": " + answer);
        }
        return answer.substring("ok".length()).strip();
    }
}
