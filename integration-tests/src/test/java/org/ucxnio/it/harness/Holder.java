package org.ucxnio.it.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A process that does nothing but hold namespaces, which other processes enter. It ends with {@link #close}, or with this JVM. */
final class Holder implements AutoCloseable {
    private static final String READY = "READY";

    private final Process process;

    private Holder(Process process) {
        this.process = process;
    }

    /**
     * Starts one.
     *
     * @param setUp a command of the shell that is run in there first, such as {@code mount ...}
     * @param unshare words that make the namespaces, such as {@code unshare --mount}
     * @throws IOException with what was said, where that is not possible
     */
    static Holder start(String setUp, String... unshare) throws IOException {
        List<String> command = new ArrayList<>(List.of(unshare));
        // It ends with its standard input.
        command.addAll(List.of("sh", "-c", setUp + " && echo " + READY + " && exec cat"));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        if (!READY.equals(line)) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", unshare) + ": " + line);
        }
        return new Holder(process);
    }

    String pid() {
        return Long.toString(process.pid());
    }

    /** Its folder in {@code /proc}. */
    Path proc() {
        return Path.of("/proc", pid());
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
