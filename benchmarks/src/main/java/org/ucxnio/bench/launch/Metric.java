package org.ucxnio.bench.launch;

import org.ucxnio.bench.table.Unit;

/**
 * A figure that a program reports.
 *
 * @param key its name in the program's report
 * @param label its name in the table
 * @param unit its unit
 * @param lowerIsBetter which way is better
 * @param goal what it must reach, whatever carries the bytes
 * @param ringGoal what it must reach with rings in shared memory, where that is more
 */
record Metric(String key, String label, Unit unit, boolean lowerIsBetter, Goal goal, Goal ringGoal) {
    static Metric lower(String key, String label, Unit unit) {
        return new Metric(key, label, unit, true, Goal.NONE, Goal.NONE);
    }

    static Metric higher(String key, String label, Unit unit) {
        return new Metric(key, label, unit, false, Goal.NONE, Goal.NONE);
    }

    Metric goal(Goal wanted) {
        return new Metric(key, label, unit, lowerIsBetter, wanted, ringGoal);
    }

    Metric ringGoal(Goal wanted) {
        return new Metric(key, label, unit, lowerIsBetter, goal, wanted);
    }

    /** What it must reach on {@code variant}. */
    Goal goalOf(Variant variant) {
        return variant == Variant.UCXNIO && !ringGoal.equals(Goal.NONE) ? ringGoal : goal;
    }
}
