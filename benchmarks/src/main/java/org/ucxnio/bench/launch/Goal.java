package org.ucxnio.bench.launch;

import java.util.Locale;
import org.ucxnio.bench.table.Unit;

/**
 * What a figure of ours should reach: a number, or a multiple of the JDK's figure of the same run.
 *
 * @param kind how the number is meant
 * @param value the number
 */
record Goal(Kind kind, double value) {
    private enum Kind {
        NONE,
        AT_MOST,
        AT_LEAST,
        AT_MOST_TIMES_JDK,
        AT_LEAST_TIMES_JDK
    }

    static final Goal NONE = new Goal(Kind.NONE, 0);

    static Goal atMost(double value) {
        return new Goal(Kind.AT_MOST, value);
    }

    static Goal atLeast(double value) {
        return new Goal(Kind.AT_LEAST, value);
    }

    static Goal atMostTimesJdk(double factor) {
        return new Goal(Kind.AT_MOST_TIMES_JDK, factor);
    }

    static Goal atLeastTimesJdk(double factor) {
        return new Goal(Kind.AT_LEAST_TIMES_JDK, factor);
    }

    String write(Unit unit) {
        return switch (kind) {
            case NONE -> "";
            case AT_MOST -> "<= " + unit.write(value);
            case AT_LEAST -> ">= " + unit.write(value);
            case AT_MOST_TIMES_JDK -> String.format(Locale.ROOT, "<= %.2f x JDK", value);
            case AT_LEAST_TIMES_JDK -> String.format(Locale.ROOT, ">= %.2f x JDK", value);
        };
    }

    /** "yes", "no", or empty where there is nothing to compare. */
    String verdict(double jdk, double ours) {
        boolean relative = kind == Kind.AT_MOST_TIMES_JDK || kind == Kind.AT_LEAST_TIMES_JDK;
        if (kind == Kind.NONE || Double.isNaN(ours) || relative && Double.isNaN(jdk)) {
            return "";
        }
        boolean met = switch (kind) {
            case AT_MOST -> ours <= value;
            case AT_LEAST -> ours >= value;
            case AT_MOST_TIMES_JDK -> ours <= value * jdk;
            case AT_LEAST_TIMES_JDK -> ours >= value * jdk;
            case NONE -> true;
        };
        return met ? "yes" : "no";
    }
}
