package org.ucxnio.bench.child;

import java.util.concurrent.Semaphore;

/**
 * The turns of a program that is measured beside others: all of them are there, and one at a time does something, as the launcher says. So
 * what else the machine does hits all alike. Thread-safe.
 */
public final class Turns {
    /** The launcher's word for one turn, a byte on standard input. */
    public static final int GIVE = 't';

    private final Reporter reporter;
    private final Semaphore given = new Semaphore(0);

    Turns(Reporter reporter) {
        this.reporter = reporter;
    }

    void give() {
        given.release();
    }

    /** Says that the program is warm and will take {@code count} turns. */
    public void expect(int count) {
        reporter.turns(count);
    }

    /** Works once it is this program's turn, and says when it has. */
    public void take(Lifeline.Work work) throws Exception {
        given.acquire();
        work.run();
        reporter.turnOver();
    }
}
