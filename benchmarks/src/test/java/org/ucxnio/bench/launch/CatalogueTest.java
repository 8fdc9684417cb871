package org.ucxnio.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CatalogueTest {
    @Test
    void shouldGiveEachBenchmarkANameOfItsOwn() {
        assertThat(Catalogue.all()).extracting(Scenario::name).doesNotHaveDuplicates();
    }

    @Test
    void shouldFindByNameByBeginningAndAll() {
        assertThat(Catalogue.find("rtt-blocking")).extracting(Scenario::name).containsExactly("rtt-blocking");
        assertThat(Catalogue.find("stream-64k"))
                .extracting(Scenario::name)
                .containsExactly("stream-64k-blocking", "stream-64k-selector");
        assertThat(Catalogue.find("all")).hasSameSizeAs(Catalogue.all());
        assertThat(Catalogue.find("stream-6")).isEmpty();
    }

    @Test
    void shouldGiveAFirstImpressionInFiveMinutesAndAllInAnHour() {
        assertThat(estimate(Catalogue.QUICK, Effort.QUICK)).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(5));
        assertThat(estimate(Catalogue.ALL, Effort.ALL)).isBetween(Duration.ofMinutes(20), Duration.ofMinutes(60));
    }

    @Test
    void shouldShowTheProcessorTimeOfBothProcesses() {
        List<String> alone = List.of("memory", "idle-cpu", "process");

        assertThat(Catalogue.all())
                .filteredOn(
                        each -> !alone.contains(each.name()) && !each.program().equals("all-to-all"))
                .allSatisfy(each -> assertThat(each.metrics())
                        .as(each.name())
                        .extracting(Metric::key)
                        .contains("cpu-client", "cpu-server"));
    }

    private static Duration estimate(String name, Effort effort) {
        BenchOptions options = new BenchOptions();
        new CommandLine(options);
        options.use(effort);
        List<Scenario> scenarios =
                Catalogue.find(name).stream().map(options::scaled).toList();
        return options.estimate(scenarios, Provider.ALL);
    }
}
