package org.ucxnio.bench.child;

import java.io.IOException;
import java.util.List;

/** The points of a sweep: one value of a setting after another, in the same two JVMs and on fresh connections. */
public final class Points {
    /** The setting that names the setting that is varied. */
    public static final String AXIS = "axis";

    /** The setting that has its values, between commas. */
    public static final String AT = "at";

    /** The setting that is true where another point follows. */
    public static final String MORE = "point";

    /** A point takes one part in so many of the time of a benchmark that is no sweep. */
    private static final int SHARE = 4;

    private Points() {}

    /** Measures with the settings of one point. */
    @FunctionalInterface
    public interface Measure {
        void run(Settings settings, Reporter reporter) throws IOException, InterruptedException;
    }

    /**
     * Measures each point, or once where {@code settings} describe no sweep. The first point alone is warmed up for long: the
     * code of all is the same.
     */
    public static void measure(Settings settings, Reporter reporter, Measure measure)
            throws IOException, InterruptedException {
        if (!settings.has(AXIS)) {
            measure.run(settings, reporter);
            return;
        }
        List<String> values = List.of(settings.text(AT).split(","));
        long warmupMillis = settings.number("warmup-ms");
        for (int i = 0; i < values.size(); i++) {
            Settings point = settings.with(settings.text(AXIS), values.get(i))
                    .with("warmup-ms", i == 0 ? warmupMillis : warmupMillis / SHARE)
                    .with("round-ms", settings.number("round-ms") / SHARE)
                    .with(MORE, i < values.size() - 1);
            measure.run(point, reporter.at(values.get(i)));
        }
    }
}
