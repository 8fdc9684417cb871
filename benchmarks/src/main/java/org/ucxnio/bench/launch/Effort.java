package org.ucxnio.bench.launch;

/**
 * How long and how often is measured where the command line does not say.
 *
 * @param rounds rounds in each JVM
 * @param roundSeconds seconds a round takes
 * @param warmupSeconds warm-up in each JVM
 * @param programWarmupSeconds the same where it runs a whole program, which has more code to compile
 * @param runs fresh pairs of JVMs for each provider, but one for what takes long; 0: as many as the benchmark's noise asks for
 * @param step of how many values of a sweep one is measured
 */
record Effort(int rounds, double roundSeconds, double warmupSeconds, double programWarmupSeconds, int runs, int step) {
    /** A benchmark that is asked for by its name. */
    static final Effort USUAL = new Effort(5, 0.8, 2, 5, 0, 1);

    /** Everything there is, within an hour. */
    static final Effort ALL = new Effort(3, 0.5, 1.5, 3, 2, 1);

    /** A look at it, within five minutes. */
    static final Effort QUICK = new Effort(3, 0.3, 0.8, 2, 1, 2);
}
