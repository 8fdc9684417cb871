package org.ucxnio.bench.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Turns;

/** One measured JVM: its process, what it prints, its log and its end. */
public final class Child implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(4);
    private static final long EXIT_MILLIS = 1000;
    private static final int LOG_LINES_SHOWN = 40;

    private final String name;
    private final Process process;
    private final long startNanos;
    private final Path log;
    private final Transcript transcript = new Transcript();
    private final Thread reader;
    private final Consumer<String> progress;

    private Child(String name, Process process, long startNanos, Path log, Consumer<String> progress) {
        this.name = name;
        this.process = process;
        this.startNanos = startNanos;
        this.log = log;
        this.progress = progress;
        reader = new Thread(this::readAll, name + "-output");
        reader.setDaemon(true);
    }

    /**
     * Starts a process. Standard error and everything on standard output that is not meant for the launcher goes to
     * {@code <directory>/<name>.log}.
     */
    static Child start(String name, List<String> command, Path directory, Consumer<String> progress)
            throws LaunchException {
        Path log = directory.resolve(name + ".log");
        try {
            Files.writeString(log, String.join(" ", command) + System.lineSeparator());
            long startNanos = System.nanoTime();
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            Child child = new Child(name, process, startNanos, log, progress);
            child.reader.start();
            return child;
        } catch (IOException e) {
            throw new LaunchException("cannot start " + name + ": " + e.getMessage(), e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** Where this server, which is ready, tells its processor time. */
    int clockPort() {
        return Integer.parseInt(transcript.all(Reporter.CLOCK).get(0));
    }

    public Transcript transcript() {
        return transcript;
    }

    /** Waits for a line {@code @word}; {@link LaunchException} with the end of the log if it does not come. */
    public void await(String word, Duration timeout) throws LaunchException, InterruptedException {
        await(word, 1, timeout);
    }

    private void await(String word, int count, Duration timeout) throws LaunchException, InterruptedException {
        boolean there = transcript.await(word, count, timeout);
        if (!there && !transcript.last(Reporter.UNAVAILABLE).isEmpty()) {
            throw new UnavailableException(transcript.last(Reporter.UNAVAILABLE));
        }
        if (!there) {
            // Its output may have ended a moment before itself.
            boolean ended = process.waitFor(EXIT_MILLIS, TimeUnit.MILLISECONDS);
            if (!ended) {
                dumpThreads();
            }
            String why = ended ? "exit status " + process.exitValue() : "nothing after " + timeout.toSeconds() + " s";
            throw failure("no \"" + word + "\", " + why);
        }
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Asks the JVM what its provider carried so far; the answer goes to the transcript. */
    private void ask() {
        tell('\n');
    }

    private void tell(int word) {
        try {
            process.getOutputStream().write(word);
            process.getOutputStream().flush();
        } catch (IOException e) {
            transcript.add("log", "cannot be told: " + e.getMessage());
        }
    }

    /** Waits until the program is warm. Returns how many turns it takes. */
    public int awaitTurns(Duration timeout) throws LaunchException, InterruptedException {
        await(Reporter.TURNS, timeout);
        return Integer.parseInt(transcript.last(Reporter.TURNS));
    }

    /** Gives the program its next turn and waits until that is over. */
    public void giveTurn(Duration timeout) throws LaunchException, InterruptedException {
        int over = transcript.all(Reporter.TURN_OVER).size();
        tell(Turns.GIVE);
        await(Reporter.TURN_OVER, over + 1, timeout);
    }

    /**
     * Waits until this client has its figures. Once it says that it is about to close its connections, its server is
     * asked what it carried.
     *
     * @throws LaunchException if the figures do not come; it shows the logs of both
     */
    public void awaitFigures(Child server, Duration timeout) throws LaunchException, InterruptedException {
        try {
            await(Reporter.CARRIED, timeout);
            server.ask();
            await(Reporter.DONE, timeout);
        } catch (LaunchException e) {
            String state = server.isAlive() ? "still runs" : "exit status " + server.process.exitValue();
            throw new LaunchException(
                    e.getMessage()
                            + System.lineSeparator()
                            + server.failure(state).getMessage(),
                    e);
        }
    }

    /**
     * Waits until the JVM has ended by itself.
     *
     * @return how long it took from before its start, ns
     * @throws LaunchException if it does not end or fails
     */
    long awaitExit(Duration timeout) throws LaunchException, InterruptedException {
        boolean ended = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        long nanos = System.nanoTime() - startNanos;
        if (!ended) {
            dumpThreads();
            throw failure("has not ended after " + timeout.toSeconds() + " s");
        }
        reader.join(GRACE.toMillis());
        if (process.exitValue() != 0) {
            throw failure("exit status " + process.exitValue());
        }
        return nanos;
    }

    /** An exception that says what went wrong and shows the end of the log. */
    public LaunchException failure(String what) {
        return new LaunchException("%s: %s%n%s".formatted(name, what, endOfLog()));
    }

    /** Asks the JVM to end, which it does after its last report; ends it by force where it does not. */
    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It is gone already.
        }
        try {
            if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
            }
            reader.join(GRACE.toMillis());
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the process at once, from a shutdown hook. */
    void kill() {
        process.destroyForcibly();
    }

    /** Waits until the process is gone, but not for long. */
    void awaitEnd() {
        try {
            process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Asks the JVM for its stacks, which it prints to standard output, and so into the log. */
    private void dumpThreads() throws InterruptedException {
        try {
            new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid()))
                    .redirectErrorStream(true)
                    .start()
                    .waitFor();
            Thread.sleep(500);
        } catch (IOException e) {
            transcript.add("log", "no thread dump: " + e.getMessage());
        }
    }

    /** What it has printed that is not for the launcher, once it has ended. */
    List<String> output() throws LaunchException {
        try {
            return Files.readAllLines(log);
        } catch (IOException e) {
            throw new LaunchException("cannot read what " + name + " printed: " + e.getMessage(), e);
        }
    }

    private String endOfLog() {
        try {
            List<String> lines = Files.readAllLines(log);
            // The first is the command line.
            int from = Math.max(1, lines.size() - LOG_LINES_SHOWN);
            return "  | " + String.join(System.lineSeparator() + "  | ", lines.subList(from, lines.size()));
        } catch (IOException e) {
            return "(no log: " + e.getMessage() + ")";
        }
    }

    private void readAll() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                PrintStream rest = new PrintStream(
                        Files.newOutputStream(log, StandardOpenOption.APPEND), true, StandardCharsets.UTF_8)) {
            lines.lines().forEach(line -> take(line, rest));
        } catch (IOException | UncheckedIOException e) {
            transcript.add("log", "output ended: " + e.getMessage());
        } finally {
            transcript.end();
        }
    }

    private void take(String line, PrintStream rest) {
        if (line.isEmpty() || line.charAt(0) != Reporter.MARK) {
            rest.println(line);
            return;
        }
        int space = line.indexOf(' ');
        String word = line.substring(1, space < 0 ? line.length() : space);
        String text = space < 0 ? "" : line.substring(space + 1);
        if (word.equals(Reporter.PROGRESS)) {
            progress.accept(text);
        } else {
            transcript.add(word, text);
        }
    }
}
