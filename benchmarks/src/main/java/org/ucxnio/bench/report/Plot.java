package org.ucxnio.bench.report;

import java.util.List;

/**
 * What a plot shows.
 *
 * @param name of its files, without ending
 * @param title above it
 * @param x the horizontal axis
 * @param y the vertical axis
 * @param lines what is drawn
 */
public record Plot(String name, String title, Scale x, Scale y, List<Line> lines) {
    public Plot {
        lines = List.copyOf(lines);
    }

    /**
     * An axis.
     *
     * @param label what it is, with its unit
     * @param logarithmic whether equal distances are equal factors
     */
    public record Scale(String label, boolean logarithmic) {}

    /**
     * A line of one column.
     *
     * @param label its name
     * @param xs where its points are
     * @param ys their values
     */
    public record Line(String label, List<Double> xs, List<Double> ys) {
        public Line {
            xs = List.copyOf(xs);
            ys = List.copyOf(ys);
        }
    }
}
