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

    /** What the provider carried: a line of {@link Carried#encode()}. */
    public static final String CARRIED = "carried";

    /** What carried most of the bytes that were measured; the rest is for a person. */
    public static final String CARRIED_BY = "carried-by";

    /** One line of the provider's report in words. */
    public static final String REPORT = "report";

    /** The run was not carried as it should have been; the rest says how. */
    public static final String NOT_ACCELERATED = "not-accelerated";

    /** All results are out. */
    public static final String DONE = "done";

    private final PrintStream out;

    public Reporter(PrintStream out) {
        this.out = out;
    }

    public void ready(int port) {
        line(READY, Integer.toString(port));
    }

    public void clock(int port) {
        line(CLOCK, Integer.toString(port));
    }

    public void progress(String text) {
        line(PROGRESS, text);
    }

    public void result(String key, double value) {
        line(RESULT, key + ' ' + value);
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
