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
 * @param main the main class of its JVMs, to which the program is named
 * @param layout where its processes run
 * @param placement which cores they run on
 * @param mayStay whether connections may stay with TCP: they end before they would leave it, or the machine is too crowded for that
 * @param settings what the program is told beyond the common settings
 * @param metrics what is shown; of a sweep the first one is plotted
 * @param axis what it varies
 * @param columns what it can be run on
 * @param ourFlags flags of its JVMs on our provider
 */
record Scenario(
        String name,
        String title,
        String program,
        String main,
        Layout layout,
        Placement placement,
        boolean mayStay,
        Map<String, String> settings,
        List<Metric> metrics,
        Axis axis,
        Columns columns,
        List<String> ourFlags) {

    /** Where the two sides run, and on which provider. */
    enum Layout {
        /** Two JVMs on the same provider. */
        PAIR,
        /** Both sides in one JVM. */
        ALONE,
        /** Two JVMs on the same provider, in two network namespaces: the JDK's provider against UCX over the network. */
        NETWORK,
        /** Two JVMs over plain TCP: the JDK's provider against ours on one side only, by turns. */
        PLAIN,
        /** One fresh JVM after another as client of one server. */
        FRESH_CLIENT,
        /** One fresh JVM after another, each with both sides in it. */
        FRESH,
        /** Several JVMs that are connected to each other; the last one measures them all. */
        MESH
    }

    /** Which cores the JVMs of a pair run on. */
    enum Placement {
        /** One core each: little noise. */
        PINNED,
        /** Those that the kernel gives them, as programs run: more noise, hence more runs. */
        FREE
    }

    private static final String MICRO = "org.ucxnio.bench.micro.MicroMain";
    private static final String PROGRAMS_PACKAGE = "org.ucxnio.bench.programs.";

    Scenario {
        settings = Map.copyOf(settings);
        metrics = List.copyOf(metrics);
        ourFlags = List.copyOf(ourFlags);
    }

    static Scenario of(String name, String title, String program, Metric... metrics) {
        return new Scenario(
                name,
                title,
                program,
                MICRO,
                Layout.PAIR,
                Placement.PINNED,
                false,
                Map.of(),
                List.of(metrics),
                Axis.NONE,
                Columns.PROVIDERS,
                List.of());
    }

    Scenario in(Layout where) {
        return new Scenario(
                name, title, program, main, where, placement, mayStay, settings, metrics, axis, columns, ourFlags);
    }

    Scenario by(String mainClass) {
        return new Scenario(
                name, title, program, mainClass, layout, placement, mayStay, settings, metrics, axis, columns,
                ourFlags);
    }

    Scenario free() {
        return new Scenario(
                name,
                title,
                program,
                main,
                layout,
                Placement.FREE,
                mayStay,
                settings,
                metrics,
                axis,
                columns,
                ourFlags);
    }

    Scenario withConnectionsThatMayStay() {
        return new Scenario(
                name, title, program, main, layout, placement, true, settings, metrics, axis, columns, ourFlags);
    }

    Scenario with(String key, Object value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(key, String.valueOf(value));
        return new Scenario(
                name, title, program, main, layout, placement, mayStay, more, metrics, axis, columns, ourFlags);
    }

    /** A sweep. */
    Scenario over(Axis varied) {
        return new Scenario(
                name, title, program, main, layout, placement, mayStay, settings, metrics, varied, columns, ourFlags);
    }

    /** One that can be run on {@code more} beside the selector providers. */
    Scenario also(Provider... more) {
        return new Scenario(
                name,
                title,
                program,
                main,
                layout,
                placement,
                mayStay,
                settings,
                metrics,
                axis,
                columns.also(more),
                ourFlags);
    }

    /** One that is run on {@code these} alone. */
    Scenario only(Provider... these) {
        return new Scenario(
                name,
                title,
                program,
                main,
                layout,
                placement,
                mayStay,
                settings,
                metrics,
                axis,
                Columns.only(these),
                ourFlags);
    }

    /** One whose JVMs on our provider have {@code flags}. */
    Scenario withOurFlags(String... flags) {
        return new Scenario(
                name,
                title,
                program,
                main,
                layout,
                placement,
                mayStay,
                settings,
                metrics,
                axis,
                columns,
                List.of(flags));
    }

    /** Whether it measures a whole program of other authors. */
    boolean isProgram() {
        return isProgram(main);
    }

    /** Whether the JVMs of {@code mainClass} run a program of other authors. */
    static boolean isProgram(String mainClass) {
        return mainClass.startsWith(PROGRAMS_PACKAGE);
    }

    /** The values that are measured of the setting that a sweep varies: one for each of its points. */
    List<String> points() {
        return axis.values().stream().map(String::valueOf).toList();
    }
}
