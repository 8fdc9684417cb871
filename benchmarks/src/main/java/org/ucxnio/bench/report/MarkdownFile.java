package org.ucxnio.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A page that shows a run: command, machine and settings, the plots, the tables. */
public final class MarkdownFile {
    private MarkdownFile() {}

    /**
     * What a run was.
     *
     * @param command what was called
     * @param date when
     * @param facts machine and settings, by their names
     * @param remarks what has to be known about the figures, such as what was not measured and why
     */
    public record Run(String command, String date, Map<String, String> facts, List<String> remarks) {}

    public static void write(Path file, Run run, List<Plot> plots, List<Section> sections) throws IOException {
        List<String> lines = new ArrayList<>(List.of("# " + run.command(), "", run.date(), ""));
        lines.add("| | |");
        lines.add("|---|---|");
        run.facts().forEach((name, text) -> lines.add("| " + name + " | " + text + " |"));
        lines.add("");
        lines.add(
                "Figures are medians over the rounds of a run and then over the runs; in brackets the smallest and the largest run.");
        lines.add("");
        run.remarks().forEach(each -> lines.addAll(List.of("- " + each, "")));
        for (Plot plot : plots) {
            lines.addAll(List.of("![" + plot.title() + "](" + plot.name() + ".svg)", ""));
        }
        for (Section section : sections) {
            if (!section.title().isEmpty()) {
                lines.addAll(List.of("## " + section.title(), ""));
            }
            lines.addAll(section.table().markdown());
            lines.add("");
        }
        Files.write(file, lines);
    }
}
