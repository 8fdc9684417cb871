package org.ucxnio.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A JVM with this test's class path, talked to by lines. Killed when closed. */
public final class ChildJvm implements AutoCloseable {
    public static final String NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED";

    private static final long DEADLINE_SECONDS = 60;

    private final Process process;
    private final PrintStream in;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final StringBuffer transcript = new StringBuffer();
    private final Thread reader;

    private ChildJvm(Process process) {
        this.process = process;
        this.in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.reader = Thread.ofVirtual().start(this::read);
    }

    public static ChildJvm start(Class<?> main, String... arguments) throws IOException {
        return start(List.of(NATIVE_ACCESS), Map.of(), main, arguments);
    }

    public static ChildJvm start(
            List<String> flags, Map<String, String> environment, Class<?> main, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:ErrorFile=/dev/null", "-XX:-CreateCoredumpOnCrash"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return new ChildJvm(builder.start());
    }

    /** For the child: it ends when the process that started it does, however that ended. */
    public static void endWithParent() {
        ProcessHandle.current()
                .parent()
                .ifPresent(parent ->
                        parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                transcript.append(line).append('\n');
                lines.add(line);
            }
        } catch (IOException e) {
            transcript.append(e).append('\n');
        }
    }

    public void send(String line) {
        in.println(line);
    }

    /** The rest of the next line that starts with a word. */
    public String expect(String word) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (true) {
            String line = lines.poll(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            if (line == null) {
                throw new AssertionError("no line '" + word + "' from the child JVM; it said:\n" + transcript);
            }
            if (line.startsWith(word)) {
                return line.substring(word.length()).trim();
            }
        }
    }

    public int exitCode() throws InterruptedException {
        if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError("the child JVM did not end; it said:\n" + transcript);
        }
        reader.join();
        return process.exitValue();
    }

    /** Everything it printed so far. */
    public String output() {
        return transcript.toString();
    }

    public long pid() {
        return process.pid();
    }

    /** {@code kill -9}, and the process is reaped. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
