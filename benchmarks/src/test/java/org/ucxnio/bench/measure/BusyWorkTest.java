package org.ucxnio.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BusyWorkTest {
    @Test
    void shouldTakeItsTimeOfAnUndisturbedCore() {
        BusyWork work = BusyWork.ofMicros(100);

        long fastest = LongStream.range(0, 2000).map(i -> nanos(work)).min().orElseThrow();

        assertThat(fastest).isBetween(50_000L, 200_000L);
    }

    @Test
    void shouldDoNothingWhereNoneIsWanted() {
        BusyWork none = BusyWork.ofMicros(0);

        long fastest = LongStream.range(0, 2000).map(i -> nanos(none)).min().orElseThrow();

        assertThat(fastest).isLessThan(10_000);
    }

    private static long nanos(BusyWork work) {
        long start = System.nanoTime();
        work.run();
        return System.nanoTime() - start;
    }
}
