package org.ucxnio.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/**
 * Speed that collapses is found here. Each figure is compared with the JDK's of the same moment and machine, and tries may fail: another
 * program can take the processors away from one of the two. Margins are so wide that a machine that stays busy with others keeps
 * them, too; {@code ./bench.sh} says how fast ucxnio is.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class GuardIT {
    private static final int TRIES = 5;

    private final List<String> complaints = new ArrayList<>();
    private Children children;
    private PairRunner runner;

    @BeforeEach
    void setUp() throws LaunchException {
        assumeThat(JvmCommand.canPin())
                .as("two cores, and taskset to give each process one")
                .isTrue();
        children = new Children();
    }

    @AfterEach
    void tearDown() {
        if (children != null) {
            children.close();
        }
    }

    /**
     * Where the machine is quiet, about 200 times as fast. Others make it 20 to 30: most round trips are those of the moments at which
     * both sides have their processors.
     */
    @Test
    void shouldBeFarAheadOfTcpWhereThreadsSpin() throws Exception {
        assertGain("rtt-blocking", Variant.UCXNIO, 4, 1, "--ucx-flag=-Ducxnio.wait=spin");
    }

    /**
     * Where the machine is quiet, about 4 times as fast within 2 s, and no faster than TCP if each of its waits is a sleep. Where others take half of
     * it, code that sixteen threads wait for is not compiled for 4 s and more, and 0.2 to 0.9 times as fast till then.
     */
    @Test
    void shouldBeFarAheadOfTcpWhereVirtualThreadsTalk() throws Exception {
        assertGain("threads-8", Variant.UCXNIO, 1.5, 8, "--set=virtual=true", "--ucx-flag=-Ducxnio.switch.after=128");
    }

    /** Where the machine is quiet, about 10 times as many bytes; as many as TCP where others take half of each processor. */
    @Test
    void shouldStreamNoLessThanTcp() throws Exception {
        assertGain("stream-64k-selector", Variant.UCXNIO, 0.6, 1);
    }

    @Test
    void shouldBeAboutAsFastAsTheJdkOverPlainTcp() throws Exception {
        assertGain("plain-rtt-selector", Variant.OUR_CLIENT, 0.5, 1);
    }

    /** The first figure of a benchmark is {@code least} times as good on {@code variant} as the JDK's, in one of a few tries. */
    private void assertGain(String name, Variant variant, double least, int warmupSeconds, String... more)
            throws Exception {
        BenchOptions options = new BenchOptions();
        new CommandLine(options)
                .parseArgs(Stream.concat(
                                Stream.of("--rounds=3", "--seconds=0.2", "--warmup=" + warmupSeconds), Stream.of(more))
                        .toArray(String[]::new));
        runner = new PairRunner(options, children, new Progress());
        Scenario scenario = Catalogue.find(name).getFirst();
        List<Double> gains = new ArrayList<>();
        while (gains.size() < TRIES && gains.stream().noneMatch(gain -> gain >= least)) {
            gains.add(gain(scenario, variant, gains.size() % 2 == 0));
        }
        System.out.println(name + ", gains over the JDK: " + gains + ' ' + complaints);
        assertThat(gains)
                .as("%s, %s", name, complaints)
                .anySatisfy(gain -> assertThat(gain).isGreaterThanOrEqualTo(least));
    }

    /** One try, whose order is turned each other time: load that comes and goes does not always meet the same one. */
    private double gain(Scenario scenario, Variant variant, boolean jdkFirst) throws Exception {
        double first = figure(scenario, jdkFirst ? Variant.JDK : variant);
        double second = figure(scenario, jdkFirst ? variant : Variant.JDK);
        return scenario.metrics().getFirst().lowerIsBetter() == jdkFirst ? first / second : second / first;
    }

    /** The first figure; not a number, and so a try that has failed, where the bytes went another way: a busy machine does that. */
    private double figure(Scenario scenario, Variant variant) throws Exception {
        PairRunner.Run run = runner.run(scenario, variant);
        complaints.addAll(run.complaints());
        return run.complaints().isEmpty()
                ? run.results().get(scenario.metrics().getFirst().key())
                : Double.NaN;
    }
}
