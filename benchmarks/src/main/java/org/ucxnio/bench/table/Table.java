package org.ucxnio.bench.table;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table in plain text: the first column to the left, all others to the right, as wide as they need to be. */
public final class Table {
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();
    private final int columns;

    public Table(String... titles) {
        columns = titles.length;
        rows.add(titles.clone());
    }

    /** How many columns it has. */
    public int columns() {
        return columns;
    }

    /** Adds a row; missing cells are empty. */
    public Table row(String... cells) {
        if (cells.length > columns) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns + " columns");
        }
        String[] row = Arrays.copyOf(cells, columns);
        for (int i = cells.length; i < columns; i++) {
            row[i] = "";
        }
        rows.add(row);
        return this;
    }

    /** The same as Markdown. */
    public List<String> markdown() {
        List<String> lines = new ArrayList<>();
        for (String[] row : rows) {
            lines.add("| " + String.join(" | ", row) + " |");
            if (lines.size() == 1) {
                lines.add("|---|" + "--:|".repeat(columns - 1));
            }
        }
        return lines;
    }

    public void print(PrintStream out) {
        int[] widths = widths();
        for (int i = 0; i < rows.size(); i++) {
            out.println(line(rows.get(i), widths));
            if (i == 0) {
                out.println("-".repeat(Arrays.stream(widths).sum() + GAP.length() * (columns - 1)));
            }
        }
    }

    private int[] widths() {
        int[] widths = new int[columns];
        for (String[] row : rows) {
            // A row of one cell is a heading; it runs over the columns beside it.
            boolean heading = Arrays.stream(row).skip(1).allMatch(String::isEmpty);
            for (int i = 0; i < columns && !heading; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        return widths;
    }

    private static String line(String[] row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.length; i++) {
            String padding = " ".repeat(Math.max(0, widths[i] - row[i].length()));
            line.append(i == 0 ? "" : GAP).append(i == 0 ? row[i] + padding : padding + row[i]);
        }
        return line.toString().stripTrailing();
    }
}
