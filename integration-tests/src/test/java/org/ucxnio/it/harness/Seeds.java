package org.ucxnio.it.harness;

import java.util.concurrent.ThreadLocalRandom;

/** Seeds of random schedules. Property {@value #PROPERTY} repeats a run. */
public final class Seeds {
    public static final String PROPERTY = "ucxnio.it.seed";

    private Seeds() {}

    /** A part of a test that draws from a seed. */
    @FunctionalInterface
    public interface Body {
        void run(long seed) throws Exception;
    }

    /** Runs the body; whatever it throws names the seed, in one line: the report of a build may show no more than the first. */
    public static void withSeed(Body body) throws Exception {
        long seed = Long.getLong(PROPERTY, ThreadLocalRandom.current().nextLong(1L << 48));
        try {
            body.run(seed);
        } catch (Exception | AssertionError e) {
            String line = String.valueOf(e.getMessage()).strip().replaceAll("\\s+", " ");
            throw new AssertionError("With -D" + PROPERTY + "=" + seed + ": " + line, e);
        }
    }
}
