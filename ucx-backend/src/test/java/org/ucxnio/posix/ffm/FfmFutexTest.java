package org.ucxnio.posix.ffm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.posix.Futex;

@Timeout(60)
class FfmFutexTest {
    private static final int OFFSET = 64;
    private static final int EXPECTED = -7;
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(50);

    private final Futex futex = new FfmPosix().futex();

    @TempDir
    private Path folder;

    private ByteBuffer memory;
    private long word;
    private int sleepers;

    @BeforeEach
    void map() throws IOException {
        Files.write(folder.resolve("shared"), new byte[4096]);
        memory = mapping();
        word = futex.address(memory) + OFFSET;
        memory.putInt(OFFSET, EXPECTED);
    }

    private ByteBuffer mapping() throws IOException {
        try (FileChannel file =
                FileChannel.open(folder.resolve("shared"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return file.map(FileChannel.MapMode.READ_WRITE, 0, 4096).order(ByteOrder.nativeOrder());
        }
    }

    /** A thread that sleeps on the word until it has changed. */
    private Thread sleeper(long nanos) {
        Thread sleeper = Thread.ofPlatform().start(() -> {
            while (memory.getInt(OFFSET) == EXPECTED) {
                futex.await(word, EXPECTED, nanos);
            }
        });
        sleepers++;
        // Threads come and go while one looks.
        await().ignoreExceptionsInstanceOf(IOException.class).until(() -> threadsAsleep() == sleepers);
        return sleeper;
    }

    /** The kernel says where a thread sleeps; Java takes one in native code for running. */
    private long threadsAsleep() throws IOException {
        long count = 0;
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : (Iterable<Path>) tasks::iterator) {
                // Behind the number of the call come its arguments: the address, and the operation.
                String waiting = " 0x" + Long.toHexString(word) + " 0x0 ";
                count += Files.readString(task.resolve("syscall")).contains(waiting) ? 1 : 0;
            }
        }
        return count;
    }

    private void assertEnds(Thread sleeper) throws InterruptedException {
        sleeper.join(TimeUnit.SECONDS.toMillis(20));
        assertThat(sleeper.isAlive()).isFalse();
    }

    @Test
    void shouldReturnAtOnceWhereTheWordDiffers() {
        long start = System.nanoTime();
        futex.await(word, EXPECTED + 1, Long.MAX_VALUE);
        futex.await(word, EXPECTED + 1, LONG_NANOS);
        assertThat(System.nanoTime() - start).isLessThan(LONG_NANOS);
    }

    @Test
    void shouldWakeWhoSleepsWithoutBound() throws Exception {
        Thread first = sleeper(Long.MAX_VALUE);
        Thread second = sleeper(Long.MAX_VALUE);
        memory.putInt(OFFSET, 1);
        futex.wake(word);
        assertEnds(first);
        assertEnds(second);
    }

    @Test
    void shouldWakeWhoSleepsWithABound() throws Exception {
        Thread sleeper = sleeper(LONG_NANOS);
        memory.putInt(OFFSET, 1);
        futex.wake(word);
        assertEnds(sleeper);
    }

    /** A private futex is told apart by the address, which differs here. */
    @Test
    void shouldBeTheSameInAnotherMapping() throws Exception {
        ByteBuffer other = mapping();
        long otherWord = futex.address(other) + OFFSET;
        assertThat(otherWord).isNotEqualTo(word);
        Thread sleeper = sleeper(Long.MAX_VALUE);
        other.putInt(OFFSET, 1);
        futex.wake(otherWord);
        assertEnds(sleeper);
    }

    @Test
    void shouldTimeOut() {
        long start = System.nanoTime();
        futex.await(word, EXPECTED, TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(System.nanoTime() - start)
                .isBetween(TimeUnit.MILLISECONDS.toNanos(15), TimeUnit.SECONDS.toNanos(20));
        start = System.nanoTime();
        futex.await(word, EXPECTED, 1_100_000_000);
        assertThat(System.nanoTime() - start)
                .as("seconds and nanoseconds")
                .isBetween(TimeUnit.MILLISECONDS.toNanos(1_090), TimeUnit.SECONDS.toNanos(20));
    }

    @Test
    void shouldNotSleepForNoTime() {
        futex.await(word, EXPECTED, 0);
        futex.await(word, EXPECTED, -1);
        futex.await(word, EXPECTED, Long.MIN_VALUE);
    }

    @Test
    void shouldWakeNobody() {
        futex.wake(word);
    }

    @Test
    void shouldKnowAddresses() {
        ByteBuffer direct = ByteBuffer.allocateDirect(16);
        assertThat(futex.address(direct.slice(4, 8))).isEqualTo(futex.address(direct) + 4);
        assertThatIllegalArgumentException().isThrownBy(() -> futex.address(ByteBuffer.allocate(8)));
    }

    @Test
    void shouldNotAllocate() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 20 && least > 0; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 20_000; i++) {
                futex.await(word, EXPECTED + 1, LONG_NANOS);
                futex.await(word, EXPECTED + 1, Long.MAX_VALUE);
                futex.wake(word);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isLessThan(1_000);
    }
}
