package org.ucxnio.it.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.opentest4j.TestAbortedException;

/** Tests that cannot run everywhere say why they do not. */
public final class Skips {
    private Skips() {}

    /**
     * Skips the test and prints why.
     *
     * @param <T> what the caller would return
     * @return never
     */
    public static <T> T skip(String reason) {
        System.err.println("Skipped: " + reason);
        throw new TestAbortedException(reason);
    }

    /** Where a Java of that release is, 0 for the one that runs the tests; skips the test where there is none. */
    public static Path unlessJava(int feature) {
        return feature == 0
                ? Path.of(System.getProperty("java.home"))
                : Locations.javaHome(feature).orElseGet(() -> skip("no Java " + feature + " in the usual places"));
    }

    /** Skips the test, with what was said, where a command cannot be run behind these words. */
    public static void unlessRuns(String... prefix) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(prefix));
        command.add("true");
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.waitFor() != 0) {
                skip(String.join(" ", command) + ": " + said);
            }
        } catch (IOException e) {
            skip(e.getMessage());
        }
    }
}
