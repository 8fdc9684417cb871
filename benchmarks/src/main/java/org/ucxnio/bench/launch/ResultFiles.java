package org.ucxnio.bench.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ucxnio.bench.report.CsvFile;
import org.ucxnio.bench.report.MarkdownFile;
import org.ucxnio.bench.report.Measurement;
import org.ucxnio.bench.report.Plot;
import org.ucxnio.bench.report.PlotFiles;

/** Writes what a run found into files: {@code results.csv}, {@code results.md} and the plots. */
final class ResultFiles {
    private final Path directory;

    ResultFiles(Path directory) {
        this.directory = directory;
    }

    void write(MarkdownFile.Run run, List<Outcome> outcomes) throws IOException {
        Files.createDirectories(directory);
        CsvFile.write(directory.resolve("results.csv"), measurements(outcomes));
        List<Plot> plots = OutcomePlots.of(outcomes);
        MarkdownFile.write(directory.resolve("results.md"), run, plots, new ResultTable(outcomes).all());
        PlotFiles.write(directory, plots);
    }

    private static List<Measurement> measurements(List<Outcome> outcomes) {
        List<Measurement> measurements = new ArrayList<>();
        for (Outcome outcome : outcomes) {
            Scenario scenario = outcome.scenario();
            List<String> points = scenario.axis().isSwept() ? scenario.points() : List.of("");
            for (String point : points) {
                for (Metric metric : scenario.metrics()) {
                    for (Variant variant : outcome.variants()) {
                        Spread spread = outcome.spread(variant, metric.key(), point);
                        if (spread.runs() > 0) {
                            measurements.add(measurement(outcome, point, metric, variant, spread));
                        }
                    }
                }
            }
        }
        return measurements;
    }

    private static Measurement measurement(
            Outcome outcome, String point, Metric metric, Variant variant, Spread spread) {
        return new Measurement(
                outcome.scenario().name(),
                outcome.scenario().axis().key(),
                point,
                variant.label(),
                metric.key(),
                metric.unit(),
                spread.runs(),
                spread.median(),
                spread.min(),
                spread.max(),
                outcome.carrier(variant));
    }
}
