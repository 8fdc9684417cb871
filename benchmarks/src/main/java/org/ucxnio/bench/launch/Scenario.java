package org.ucxnio.bench.launch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One benchmark that can be asked for by name.
 *
 * @param name its name on the command line
 * @param title what it measures, in the table
 * @param program the program that measures it
 * @param layout where its processes run
 * @param settings what the program is told beyond the common settings
 * @param metrics what is shown
 */
record Scenario(
        String name, String title, String program, Layout layout, Map<String, String> settings, List<Metric> metrics) {

    /** Where the two sides run, and on which provider. */
    enum Layout {
        /** Two JVMs on the same provider. */
        PAIR,
        /** Both sides in one JVM. */
        ALONE,
        /** Two JVMs over plain TCP: the JDK's provider against ours on one side only, by turns. */
        PLAIN
    }

    Scenario {
        settings = Map.copyOf(settings);
        metrics = List.copyOf(metrics);
    }

    static Scenario of(String name, String title, String program, Metric... metrics) {
        return new Scenario(name, title, program, Layout.PAIR, Map.of(), List.of(metrics));
    }

    Scenario in(Layout where) {
        return new Scenario(name, title, program, where, settings, metrics);
    }

    Scenario with(String key, Object value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(key, String.valueOf(value));
        return new Scenario(name, title, program, layout, more, metrics);
    }
}
