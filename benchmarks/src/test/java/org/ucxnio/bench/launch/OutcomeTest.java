package org.ucxnio.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.ucxnio.bench.report.Plot;
import org.ucxnio.bench.table.Unit;

class OutcomeTest {
    private static final Scenario SINGLE =
            Scenario.of("single", "a single one", "program", Metric.lower("p50", "p50", Unit.MICROS));
    private static final Scenario SWEEP = SINGLE.over(Axis.powersOfTwo("size", "size, B", 1, 4));

    @Test
    void shouldGiveMedianAndSpreadOverTheRuns() {
        Outcome outcome = new Outcome(SINGLE);
        for (double p50 : new double[] {3, 1, 10}) {
            outcome.add(Variant.JDK, run(Map.of("p50", p50)));
        }
        Spread spread = outcome.spread(Variant.JDK, "p50");

        assertThat(spread).isEqualTo(new Spread(3, 3, 1, 10));
        assertThat(spread.write(Unit.MICROS)).isEqualTo("3.00 us [1.00 10.0]");
        assertThat(outcome.spread(Variant.JDK, "other").runs()).isZero();
    }

    @Test
    void shouldPlotASweepWithALineForEachColumn() {
        Outcome outcome = new Outcome(SWEEP);
        outcome.add(Variant.JDK, run(Map.of("p50@1", 50.0, "p50@2", 51.0, "p50@4", 52.0)));
        outcome.add(Variant.UCXNIO, run(Map.of("p50@1", 0.3, "p50@4", 0.4)));

        assertThat(OutcomePlots.of(List.of(outcome))).singleElement().satisfies(plot -> {
            assertThat(plot.name()).isEqualTo("single-p50");
            assertThat(plot.lines())
                    .containsExactly(
                            new Plot.Line("JDK", List.of(1.0, 2.0, 4.0), List.of(50.0, 51.0, 52.0)),
                            new Plot.Line("ucxnio", List.of(1.0, 4.0), List.of(0.3, 0.4)));
        });
    }

    @Test
    void shouldPlotDistributionsAndCourses() {
        Histogram latencies = new Histogram(1_000_000, 3);
        latencies.recordValue(1000);
        latencies.recordValue(2000);
        Map<Double, Double> rates = new LinkedHashMap<>();
        for (int i = 1; i <= 20; i++) {
            rates.put(i / 10.0, 1000.0 * i);
        }
        Outcome outcome = new Outcome(SINGLE);
        outcome.add(
                Variant.JDK,
                new PairRunner.Run(Map.of("p50", 1.0), "TCP", List.of(), Map.of("latency", latencies), rates));

        assertThat(OutcomePlots.of(List.of(outcome)))
                .extracting(Plot::name)
                .containsExactly("single-cdf", "single-course");
    }

    @Test
    void shouldPutAllColumnsOfASweepIntoOneTable() {
        Outcome outcome = new Outcome(SWEEP);
        outcome.add(Variant.JDK, run(Map.of("p50@1", 50.0, "cpu-client@1", 4.0, "cpu-server@1", 5.0)));
        outcome.add(Variant.UCXNIO, run(Map.of("p50@1", 0.3)));

        assertThat(new ResultTable(List.of(outcome)).summary())
                .singleElement()
                .satisfies(section -> assertThat(section.table().markdown())
                        .contains(
                                "| size, B | JDK | cpu | ucxnio | cpu |",
                                "| 1 | 50.0 us | 4.00 + 5.00 | 0.30 us | - |"));
    }

    @Test
    void shouldTakeEveryOtherPointAndTheLast() {
        Axis sizes = Axis.powersOfTwo("size", "size, B", 1, 32);

        assertThat(sizes.values()).containsExactly(1, 2, 4, 8, 16, 32);
        assertThat(sizes.every(2).values()).containsExactly(1, 4, 16, 32);
    }

    @Test
    void shouldReadWhatUcxPerftestPrints() {
        List<String> output = List.of(
                "|     Test     | # iterations | 50.0%ile |",
                "   10000      0.180     0.485     0.485       31.46      31.46     2062046     2062046");

        assertThat(RawUcx.Figures.parse(output)).isEqualTo(new RawUcx.Figures(0.18, 2_062_046));
        assertThat(RawUcx.Figures.parse(List.of("nothing"))).isNull();
    }

    private static PairRunner.Run run(Map<String, Double> results) {
        return new PairRunner.Run(results, "", List.of());
    }
}
