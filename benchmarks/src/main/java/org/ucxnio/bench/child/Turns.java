package org.ucxnio.bench.child;

import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * The turns of a program that is measured beside others: all of them are there, and one at a time does something, as the launcher says. So
 * what else the machine does hits all alike. Thread-safe.
 */
public final class Turns {
    /** The launcher's word for one turn, a byte on standard input. */
    public static final int GIVE = 't';

    /** How often each figure is measured. */
    public static final int ROUNDS = 3;

    /** What measures a figure, or a part of it each time. */
    public record Turn(String name, Lifeline.Work work) {}

    private final Reporter reporter;
    private final Semaphore given = new Semaphore(0);

    Turns(Reporter reporter) {
        this.reporter = reporter;
    }

    void give() {
        given.release();
    }

    /** Says that the program is warm, and then, as its turns are given, does each of these in each round. */
    public void takeAll(List<Turn> turns) throws Exception {
        reporter.turns(ROUNDS * turns.size());
        for (int round = 1; round <= ROUNDS; round++) {
            for (Turn turn : turns) {
                given.acquire();
                reporter.progress(turn.name + ", round " + round);
                turn.work.run();
                reporter.turnOver();
            }
        }
    }
}
