package org.ucxnio.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.bench.report.Plot.Line;
import org.ucxnio.bench.report.Plot.Scale;
import org.ucxnio.bench.table.Table;
import org.ucxnio.bench.table.Unit;

class ReportFilesTest {
    private static final Plot PLOT = new Plot(
            "plot",
            "Round trip",
            new Scale("size, B", true),
            new Scale("p50, us", true),
            List.of(new Line("JDK", List.of(1.0, 1024.0), List.of(50.0, 60.0))));

    @TempDir
    private Path directory;

    @Test
    void shouldWriteALineForEachFigure() throws Exception {
        Path file = directory.resolve("results.csv");
        CsvFile.write(
                file,
                List.of(new Measurement(
                        "rtt", "size", "16", "JDK, \"loopback\"", "p50", Unit.MICROS, 3, 2, 1, 4, "TCP")));

        assertThat(file).hasContent("""
                        benchmark,axis,point,column,figure,unit,runs,median,min,max,carried by
                        rtt,size,16,"JDK, ""loopback""\",p50,MICROS,3,2.0,1.0,4.0,TCP
                        """);
    }

    @Test
    void shouldDrawPlots() throws Exception {
        PlotFiles.write(directory, List.of(PLOT));

        assertThat(Files.readString(directory.resolve("plot.svg"))).contains("<svg", "<path");
        assertThat(ImageIO.read(directory.resolve("plot.png").toFile()).getWidth())
                .isPositive();
    }

    @Test
    void shouldShowCommandMachinePlotsAndTables() throws Exception {
        Path file = directory.resolve("results.md");
        MarkdownFile.Run run =
                new MarkdownFile.Run("./bench.sh rtt", "2026-01-01", Map.of("cores", "2"), List.of("Not measured: x"));
        MarkdownFile.write(
                file, run, List.of(PLOT), List.of(new Section("Sizes", new Table("size", "JDK").row("16", "50 us"))));

        assertThat(file)
                .content()
                .contains(
                        "# ./bench.sh rtt",
                        "| cores | 2 |",
                        "- Not measured: x",
                        "![Round trip](plot.svg)",
                        "## Sizes",
                        "| 16 | 50 us |");
    }

    @Test
    void shouldDescribeTheMachine() {
        Map<String, String> machine = Machine.describe(Path.of(System.getProperty("java.home")));

        assertThat(machine)
                .containsEntry("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        assertThat(machine.get("memory")).matches("[1-9][0-9]* GiB");
        assertThat(machine.get("Java")).contains(System.getProperty("java.version"));
    }
}
