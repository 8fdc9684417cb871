package org.ucxnio.bench.report;

import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws plots into files, each as SVG and as PNG. */
public final class PlotFiles {
    private static final List<String> FORMATS = List.of("svg", "png");
    private static final int WIDTH = 900;
    private static final int HEIGHT = 520;
    private static final double THOUSAND = 1e3;
    private static final double MILLION = 1e6;

    /** More points than this are a curve; a marker at each would hide it. */
    private static final int POINTS_WITH_MARKERS = 40;

    private PlotFiles() {}

    /** Draws {@code plots} into {@code directory}. */
    public static void write(Path directory, List<Plot> plots) throws IOException {
        // No window system is asked for.
        System.setProperty("java.awt.headless", "true");
        for (Plot plot : plots) {
            XYChart chart = chart(plot);
            for (String format : FORMATS) {
                try (OutputStream file = Files.newOutputStream(directory.resolve(plot.name() + '.' + format))) {
                    ChartEncoder.saveChart(chart, file, format);
                }
            }
        }
    }

    private static XYChart chart(Plot plot) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(plot.title())
                .xAxisTitle(plot.x().label())
                .yAxisTitle(plot.y().label())
                .theme(ChartTheme.XChart)
                .build();
        chart.getStyler().setXAxisLogarithmic(plot.x().logarithmic());
        chart.getStyler().setYAxisLogarithmic(plot.y().logarithmic());
        chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setXAxisTickLabelsFormattingFunction(PlotFiles::shorten);
        chart.getStyler().setYAxisTickLabelsFormattingFunction(PlotFiles::shorten);
        for (Plot.Line line : plot.lines()) {
            var series = chart.addSeries(line.label(), line.xs(), line.ys());
            if (line.xs().size() > POINTS_WITH_MARKERS) {
                series.setMarker(SeriesMarkers.NONE);
            }
        }
        return chart;
    }

    /** A tick's value: a thousand is k, a million M. */
    private static String shorten(double value) {
        DecimalFormat digits = new DecimalFormat("0.#####", DecimalFormatSymbols.getInstance(Locale.ROOT));
        if (Math.abs(value) >= MILLION) {
            return digits.format(value / MILLION) + 'M';
        }
        return Math.abs(value) >= THOUSAND ? digits.format(value / THOUSAND) + 'k' : digits.format(value);
    }
}
