package org.ucxnio.it.startup;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Traffic;

/**
 * A JVM that has run to its end.
 *
 * @param exitCode its exit code
 * @param output the lines of standard output
 * @param errors the lines of standard error
 */
record Start(int exitCode, List<String> output, List<String> errors) {
    /** What a record of the log looks like here: one line. */
    private static final String LOG_PREFIX = "LOG ";

    /** Runs a JVM to its end. */
    static Start run(JvmBuilder builder) throws IOException, InterruptedException {
        builder.property("java.util.logging.SimpleFormatter.format", LOG_PREFIX + "%4$s %3$s %5$s%n");
        try (ChildJvm jvm = builder.start()) {
            int exitCode = jvm.awaitExit(ChildJvm.PATIENCE);
            return new Start(exitCode, outputOf(jvm), jvm.errorLines());
        }
    }

    private static List<String> outputOf(ChildJvm jvm) {
        List<String> lines = new ArrayList<>();
        while (true) {
            try {
                lines.add(jvm.expect(""));
            } catch (AssertionError end) {
                // No further line: the program has ended.
                return lines;
            }
        }
    }

    /** The records of the log that are ours. */
    List<String> log() {
        return errors.stream()
                .filter(line -> line.startsWith(LOG_PREFIX) && line.contains("org.ucxnio"))
                .toList();
    }

    /** What UCX itself logged. */
    List<String> ucxLog() {
        return errors.stream()
                .filter(line -> line.matches(".* UCX +(ERROR|WARN|DIAG|INFO|DEBUG) .*"))
                .toList();
    }

    /** What follows the prefix in the one line of output that starts with it. */
    String output(String prefix) {
        return output.stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No line '" + prefix + "' in " + this));
    }

    Traffic traffic() {
        return Traffic.parse(Traffic.PREFIX + output(Traffic.PREFIX));
    }

    String errorText() {
        return String.join("\n", errors);
    }

    @Override
    public String toString() {
        return "exit code " + exitCode + "\n-- stdout\n" + String.join("\n", output) + "\n-- stderr\n" + errorText();
    }
}
