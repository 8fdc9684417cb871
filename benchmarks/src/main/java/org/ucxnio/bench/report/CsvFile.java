package org.ucxnio.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Figures as comma-separated values, a line for each. */
public final class CsvFile {
    private static final String HEADER = "benchmark,axis,point,column,figure,unit,runs,median,min,max,carried by";

    private CsvFile() {}

    public static void write(Path file, List<Measurement> measurements) throws IOException {
        List<String> lines = new ArrayList<>(List.of(HEADER));
        measurements.forEach(each -> lines.add(line(each)));
        Files.write(file, lines);
    }

    private static String line(Measurement each) {
        return Stream.of(
                        each.benchmark(),
                        each.axis(),
                        each.point(),
                        each.column(),
                        each.figure(),
                        each.unit(),
                        each.runs(),
                        each.median(),
                        each.min(),
                        each.max(),
                        each.carrier())
                .map(String::valueOf)
                .map(CsvFile::cell)
                .collect(Collectors.joining(","));
    }

    private static String cell(String text) {
        return text.contains(",") || text.contains("\"") ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }
}
