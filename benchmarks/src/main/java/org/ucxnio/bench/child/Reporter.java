package org.ucxnio.bench.child;

import java.io.PrintStream;

/**
 * Speaks to the launcher over standard output: lines {@code @word rest}. Whatever else appears there (UCX logs to
 * standard output) is no such line and goes to the log.
 */
public final class Reporter {
    /** First character of every line meant for the launcher. */
    public static final char MARK = '@';

    /** The server listens; the rest is its port. */
    public static final String READY = "ready";

    /** Where this JVM tells its processor time; the rest is the port. Comes before {@link #READY}. */
    public static final String CLOCK = "clock";

    /** One line for a person who waits. */
    public static final String PROGRESS = "progress";

    /** {@code key value}: one figure. */
    public static final String RESULT = "result";

    /** {@code key text}: all latencies of the run, as HdrHistogram encodes a histogram. */
    public static final String HISTOGRAM = "histogram";

    /** {@code key seconds value}: one figure at one moment of the run. */
    public static final String SERIES = "series";

    /** The program cannot run on this machine; the rest says why. */
    public static final String UNAVAILABLE = "unavailable";

    /** Between the name of a figure and the point of a sweep that it belongs to. */
    public static final String AT = "@";

    /** What the provider carried: a line of {@link Carried#encode()}. */
    public static final String CARRIED = "carried";

    /** What carried most of the bytes that were measured; the rest is for a person. */
    public static final String CARRIED_BY = "carried-by";

    /** One line of the provider's report in words. */
    public static final String REPORT = "report";

    /** The run was not carried as it should have been; the rest says how. */
    public static final String NOT_ACCELERATED = "not-accelerated";

    /** Warm; the rest is how many turns the program takes ({@link Turns}). */
    public static final String TURNS = "turns";

    /** A turn is over. */
    public static final String TURN_OVER = "turn-over";

    /** All results are out. */
    public static final String DONE = "done";

    private final PrintStream out;
    private final String point;

    public Reporter(PrintStream out) {
        this(out, "");
    }

    private Reporter(PrintStream out, String point) {
        this.out = out;
        this.point = point;
    }

    /** One that reports the figures of one point of a sweep. */
    public Reporter at(String value) {
        return new Reporter(out, AT + value);
    }

    /** Whether figures are those of one point of a sweep. */
    public boolean isAtPoint() {
        return !point.isEmpty();
    }

    public void ready(int port) {
        line(READY, Integer.toString(port));
    }

    public void clock(int port) {
        line(CLOCK, Integer.toString(port));
    }

    public void progress(String text) {
        line(PROGRESS, isAtPoint() ? point.substring(AT.length()) + ": " + text : text);
    }

    public void result(String key, double value) {
        line(RESULT, key + point + ' ' + value);
    }

    public void histogram(String key, String encoded) {
        line(HISTOGRAM, key + ' ' + encoded);
    }

    /** Reports what {@code key} was {@code seconds} after the beginning; not where there is one figure for each point of a sweep. */
    public void series(String key, double seconds, double value) {
        if (!isAtPoint()) {
            line(SERIES, key + ' ' + seconds + ' ' + value);
        }
    }

    public void unavailable(String reason) {
        line(UNAVAILABLE, reason);
    }

    public void carried(Carried carried) {
        line(CARRIED, carried.encode());
    }

    public void carriedBy(String text) {
        line(CARRIED_BY, text);
    }

    public void report(String text) {
        text.lines().forEach(each -> line(REPORT, each));
    }

    public void notAccelerated(String reason) {
        line(NOT_ACCELERATED, reason);
    }

    void turns(int count) {
        line(TURNS, Integer.toString(count));
    }

    void turnOver() {
        line(TURN_OVER, "");
    }

    public void done() {
        line(DONE, "");
    }

    private void line(String word, String rest) {
        synchronized (out) {
            out.println(MARK + word + ' ' + rest);
            out.flush();
        }
    }
}
