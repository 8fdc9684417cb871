package org.ucxnio.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class BenchOptionsTest {
    private final Scenario scenario = Scenario.of("some", "some", "some").with("threads", 4);

    @Test
    void shouldSetWhatABenchmarkHas() {
        BenchOptions options = parse("--set", "threads=36");

        assertThat(options.overrides(scenario)).containsExactly("threads=36");
        assertThat(options.setting(scenario, "threads")).isEqualTo("36");
        assertThat(options.complaint(List.of(scenario))).isEmpty();
    }

    @Test
    void shouldComplainOfASettingThatNoBenchmarkHas() {
        BenchOptions options = parse("--set", "treads=36");

        assertThat(options.overrides(scenario)).isEmpty();
        assertThat(options.setting(scenario, "threads")).isEqualTo("4");
        assertThat(options.complaint(List.of(scenario))).contains("treads");
    }

    @Test
    void shouldWarmUpForAsLongAsABenchmarkWantsUnlessToldOtherwise() {
        Scenario program = scenario.by("org.ucxnio.bench.programs.ycsb.YcsbMain");

        assertThat(parse().common(program)).contains("warmup-ms=5000");
        assertThat(parse().common(scenario)).contains("warmup-ms=2000");
        assertThat(parse("--warmup", "0.5").common(program)).contains("warmup-ms=500");
    }

    @Test
    void shouldTellProvidersOfOneClassApart() {
        List<Provider> wanted = parse(
                        "--provider",
                        "jdk",
                        "--other-provider",
                        "org.example.Other:a.jar",
                        "--other-provider",
                        "org.example.Other:b.jar")
                .wanted();

        assertThat(wanted).extracting(Provider::label).containsExactly("JDK", "Other", "Other 2");
    }

    private static BenchOptions parse(String... arguments) {
        BenchOptions options = new BenchOptions();
        CommandLine.populateCommand(options, arguments);
        return options;
    }
}
