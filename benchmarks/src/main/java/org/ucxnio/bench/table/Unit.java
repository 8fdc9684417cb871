package org.ucxnio.bench.table;

import java.util.Locale;

/** A unit of measure and how its figures are written. */
public enum Unit {
    MICROS("us", 1),
    MILLIS("ms", 1),
    PERCENT("%", 1),
    KIB("KiB", 1),
    BYTES("B", 1),
    COUNT("", 1),
    RATIO("x", 1),
    PER_SECOND("k/s", 1e3),
    MILLIONS_PER_SECOND("M/s", 1e6),
    MEGABYTES_PER_SECOND("MB/s", 1e6),
    GIGABYTES_PER_SECOND("GB/s", 1e9);

    private final String symbol;
    private final double scale;

    Unit(String symbol, double scale) {
        this.symbol = symbol;
        this.scale = scale;
    }

    /** {@code value}, which is in base units (per second, bytes per second, or the unit itself), with its unit. */
    public String write(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return (digits(value) + ' ' + symbol).strip();
    }

    /** The same without its unit. */
    public String digits(double value) {
        return shorten(scaled(value));
    }

    /** {@code value} in this unit. */
    public double scaled(double value) {
        return value / scale;
    }

    public String symbol() {
        return symbol;
    }

    /** About three significant digits, never an exponent. */
    private static String shorten(double value) {
        double size = Math.abs(value);
        int decimals = size >= 100 ? 0 : size >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    /** How many times better {@code ours} is than {@code theirs}, in words. */
    public static String gain(double theirs, double ours, boolean lowerIsBetter) {
        double gain = lowerIsBetter ? theirs / ours : ours / theirs;
        return Double.isFinite(gain) ? shorten(gain) + " x" : "-";
    }
}
