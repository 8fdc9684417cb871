package org.ucxnio.it.programs;

import org.ucxnio.loop.ProcessorLimit;

/** Tells what processor time this process may use, in percents of one processor's. */
public final class LimitTeller {
    private LimitTeller() {}

    public static void main(String[] arguments) {
        Commands.print("LIMIT " + ProcessorLimit.percent());
    }
}
