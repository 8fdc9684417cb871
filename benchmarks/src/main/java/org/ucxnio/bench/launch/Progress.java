package org.ucxnio.bench.launch;

import java.io.PrintStream;

/** Shows on standard error what is being done: one line that changes on a terminal, a line for each step elsewhere. */
public final class Progress {
    /** System property of the launcher: whether standard error is a terminal. */
    public static final String TERMINAL = "bench.terminal";

    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintStream out = System.err;
    private final boolean terminal = Boolean.getBoolean(TERMINAL);
    private String step = "";

    /** Begins a step, such as "3 of 14: rtt-blocking on ucxnio". */
    public synchronized void step(String text) {
        step = text;
        show(text, true);
    }

    /** A detail of the step: shown on a terminal only. */
    public synchronized void detail(String text) {
        show(step + ": " + text, false);
    }

    /** Says something once. */
    public synchronized void note(String text) {
        clear();
        out.println(text);
    }

    /** Ends the changing line, before something else is printed. */
    public synchronized void clear() {
        if (terminal) {
            out.print(CLEAR_LINE);
            out.flush();
        }
    }

    private void show(String text, boolean everywhere) {
        if (terminal) {
            out.print(CLEAR_LINE + text);
            out.flush();
        } else if (everywhere) {
            out.println(text);
        }
    }
}
