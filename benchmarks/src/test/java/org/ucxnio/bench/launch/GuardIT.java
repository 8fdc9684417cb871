package org.ucxnio.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/**
 * Speed that halves is found here. Each figure is compared with another one of the same moment, of the same machine and of a run just
 * like it, and a few tries may fail: another program can take the processors away from one of the two.
 * Margins are wide; {@code ./bench.sh} says how fast ucxnio is.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
class GuardIT {
    private static final int TRIES = 3;

    private Children children;
    private PairRunner runner;

    @BeforeEach
    void setUp() throws LaunchException {
        assumeThat(JvmCommand.canPin())
                .as("two cores, and taskset to give each process one")
                .isTrue();
        BenchOptions options = new BenchOptions();
        new CommandLine(options)
                .parseArgs("--rounds=3", "--seconds=0.2", "--warmup=1", "--ucx-flag=-Ducxnio.wait=spin");
        children = new Children();
        runner = new PairRunner(options, children, new Progress());
    }

    @AfterEach
    void tearDown() {
        if (children != null) {
            children.close();
        }
    }

    @Test
    void shouldBeFarAheadOfTcpWhereThreadsSpin() throws Exception {
        assertGain("rtt-blocking", Variant.JDK, Variant.UCXNIO, 10);
    }

    /** Both are bound by cache lines that move between two cores, on every machine. */
    @Test
    void shouldNotBeFarBehindAnotherRingInSharedMemory() throws Exception {
        Scenario scenario = scenario("rtt-blocking");
        Variant aeron = Variant.of(scenario, List.of(Provider.AERON)).getFirst();

        assertGain("rtt-blocking", aeron, Variant.UCXNIO, 0.4);
    }

    @Test
    void shouldStreamFarMoreThanTcp() throws Exception {
        assertGain("stream-64k-selector", Variant.JDK, Variant.UCXNIO, 5);
    }

    @Test
    void shouldBeAboutAsFastAsTheJdkOverPlainTcp() throws Exception {
        assertGain("plain-rtt-selector", Variant.JDK, Variant.OUR_CLIENT, 0.6);
    }

    private static Scenario scenario(String name) {
        return Catalogue.find(name).getFirst();
    }

    /**
     * The first figure of a benchmark is {@code least} times as good on {@code variant} as on {@code reference}, in one of a few
     * tries.
     */
    private void assertGain(String name, Variant reference, Variant variant, double least) throws Exception {
        Scenario scenario = scenario(name);
        boolean lowerIsBetter = scenario.metrics().getFirst().lowerIsBetter();
        List<Double> gains = new ArrayList<>();
        while (gains.size() < TRIES && gains.stream().noneMatch(gain -> gain >= least)) {
            double theirs = figure(scenario, reference);
            double ours = figure(scenario, variant);
            gains.add(lowerIsBetter ? theirs / ours : ours / theirs);
        }
        System.out.println(name + ", gains over " + reference.label() + ": " + gains);
        assertThat(gains).anySatisfy(gain -> assertThat(gain).isGreaterThanOrEqualTo(least));
    }

    private double figure(Scenario scenario, Variant variant) throws Exception {
        PairRunner.Run run = runner.run(scenario, variant);
        assertThat(run.complaints()).isEmpty();
        return run.results().get(scenario.metrics().getFirst().key());
    }
}
