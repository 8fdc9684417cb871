package org.ucxnio.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.Proc;
import org.ucxnio.it.harness.Seeds;

/**
 * Many threads and few channels: no deadlock, no exception that the JDK's channels would not throw, no descriptor left behind. It
 * takes 3 s for each pair of providers, or as many as {@code ucxnio.it.storm.seconds} says.
 */
@Bounded
@ParameterizedClass
@MethodSource("org.ucxnio.it.contract.Sides#all")
class StormTest {
    private static final long SECONDS = Long.getLong("ucxnio.it.storm.seconds", 3);

    /** What the process itself may open meanwhile: workers, selectors of virtual threads. */
    private static final int SLACK = 40;

    @Parameter
    private Sides sides;

    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldEndInOrder() throws Exception {
        long pid = ProcessHandle.current().pid();
        Seeds.withSeed(seed -> {
            Storm.run(sides, seed, 1);
            System.gc();
            int before = Proc.descriptors(pid);
            Storm.run(sides, seed + 1, SECONDS);
            await("descriptors left behind")
                    .atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(Proc.descriptors(pid))
                            .as("%s", Proc.descriptorKinds(pid))
                            .isLessThanOrEqualTo(before + SLACK));
        });
    }
}
