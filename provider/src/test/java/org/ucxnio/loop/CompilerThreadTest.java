package org.ucxnio.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.ucxnio.testing.ChildJvm;

class CompilerThreadTest {
    /** Code that is worth compiling. */
    public static final class Loop implements Runnable {
        private static final int ROUNDS = 1_000_000;

        private long value;

        /** For a copy of this class. */
        public Loop() {}

        @Override
        public void run() {
            for (int i = 0; i < ROUNDS; i++) {
                value = 31 * value + (value ^ i);
            }
        }
    }

    /** A loop that this JVM has not compiled yet. */
    private static final class Copy extends ClassLoader {
        Runnable loop() throws IOException, ReflectiveOperationException {
            try (InputStream in = Loop.class.getResourceAsStream("CompilerThreadTest$Loop.class")) {
                byte[] classFile = in.readAllBytes();
                return (Runnable) defineClass(Loop.class.getName(), classFile, 0, classFile.length)
                        .getDeclaredConstructor()
                        .newInstance();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"100 23 7, 123", "100, -1", "'', -1", "a b c, -1"})
    void shouldAddWhatItRanAndWaited(String statistics, long nanos) {
        assertThat(CompilerThread.wanted(statistics)).isEqualTo(nanos);
    }

    @Test
    void shouldSeeTheJvmCompile() throws IOException, ReflectiveOperationException {
        long before = CompilerThread.wantedNanos();
        assertThat(before).isPositive();
        long least = before + TimeUnit.MILLISECONDS.toNanos(20);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (CompilerThread.wantedNanos() < least && System.nanoTime() - deadline < 0) {
            new Copy().loop().run();
        }
        assertThat(CompilerThread.wantedNanos()).isGreaterThanOrEqualTo(least);
    }

    /** However much the threads of the program run. */
    @Test
    void shouldSeeThatTheJvmHasCompiledWhatRuns() {
        long spinNanos = TimeUnit.MILLISECONDS.toNanos(100);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        long wanted;
        do {
            long before = CompilerThread.wantedNanos();
            long start = System.nanoTime();
            while (System.nanoTime() - start < spinNanos) {
                Thread.onSpinWait();
            }
            wanted = CompilerThread.wantedNanos() - before;
        } while (wanted > spinNanos / 4 && System.nanoTime() - deadline < 0);
        assertThat(wanted).isLessThanOrEqualTo(spinNanos / 4);
    }

    /** What the JVM's other compiler does counts for little. */
    @Test
    void shouldNotKnowOfAnotherCompiler() throws Exception {
        try (ChildJvm child = ChildJvm.start(List.of("-XX:TieredStopAtLevel=1"), Map.of(), CompilerThreadTest.class)) {
            assertThat(child.exitCode()).as(child.output()).isZero();
            assertThat(child.output()).isEqualTo(ProcessorTime.UNKNOWN + "\n");
        }
    }

    public static void main(String[] arguments) {
        System.out.println(CompilerThread.wantedNanos());
    }
}
