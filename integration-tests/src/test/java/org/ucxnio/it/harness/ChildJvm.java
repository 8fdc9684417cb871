package org.ucxnio.it.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A JVM that this one started. Its output is read all the time; every wait has a deadline. Thread-safe. */
public final class ChildJvm implements AutoCloseable {
    /** Long enough for a JVM to start on a busy machine. */
    public static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final int KEPT_LINES = 400;
    private static final String END = "\u0000end";
    private static final Set<ChildJvm> ALIVE = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> ALIVE.forEach(ChildJvm::close), "children-reaper"));
    }

    private final String name;
    private final Process process;
    private final Path workDirectory;
    private final Path javaHome;
    private final PrintStream toChild;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Deque<String> standardOutput = new ArrayDeque<>();
    private final List<String> standardError = new ArrayList<>();
    private final Thread errorReader;
    private volatile Consumer<String> listener = line -> {};
    private volatile String lastRequest = "";

    ChildJvm(String name, Process process, Path workDirectory, Path javaHome) {
        this.name = name;
        this.process = process;
        this.workDirectory = workDirectory;
        this.javaHome = javaHome;
        this.toChild = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        ALIVE.add(this);
        startReader("stdout", process.getInputStream(), this::onOutput, () -> lines.add(END));
        errorReader = startReader("stderr", process.getErrorStream(), this::onError, () -> {});
    }

    /** The children that were not closed yet. */
    static List<ChildJvm> alive() {
        return List.copyOf(ALIVE);
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Calls the listener with every further line of standard output, on the reading thread. */
    public void onLine(Consumer<String> lineListener) {
        listener = lineListener;
    }

    public void send(String line) {
        lastRequest = line;
        toChild.println(line);
        toChild.flush();
    }

    /** Skips lines of standard output until one starts with the prefix; returns what follows the prefix. */
    public String expect(String prefix) {
        return expect(prefix, PATIENCE);
    }

    /**
     * Skips lines of standard output until one starts with the prefix; returns what follows the prefix. A line that tells that the last
     * request has failed ends the wait.
     */
    public String expect(String prefix, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        try {
            while (true) {
                String line = lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (line == null) {
                    throw failure("No line '" + prefix + "' within " + timeout);
                }
                if (line.equals(END)) {
                    lines.add(END);
                    throw failure("Ended before it printed '" + prefix + "'");
                }
                if (line.startsWith(prefix)) {
                    return line.substring(prefix.length()).stripLeading();
                }
                if (line.startsWith("FAILED " + lastRequest + ": ")) {
                    throw failure("'" + line + "' where '" + prefix + "' was expected");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for '" + prefix + "' of " + name, e);
        }
    }

    /** Has the evidence of the other children as well: the test closes them before anybody sees the error. */
    private AssertionError failure(String what) {
        StringBuilder text = new StringBuilder(what).append('\n').append(evidence());
        alive().stream().filter(other -> other != this).forEach(other -> text.append(other.evidence()));
        return new AssertionError(text.toString());
    }

    /** Sends a line and waits for the line that starts with the prefix. */
    public String ask(String request, String answerPrefix) {
        send(request);
        return expect(answerPrefix);
    }

    /** Waits for the end of the process and returns its exit code. */
    public int awaitExit(Duration timeout) throws InterruptedException {
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            throw failure("Still running after " + timeout);
        }
        errorReader.join(timeout.toMillis());
        return process.exitValue();
    }

    /** Kills the process as {@code kill -9} does and waits until it is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Sends a signal such as {@code STOP} or {@code CONT}. */
    public void signal(String signal) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid())).start();
        if (kill.waitFor() != 0) {
            throw new IOException("kill -" + signal + " " + pid() + " failed");
        }
    }

    /** The lines on standard error so far. */
    public List<String> errorLines() {
        synchronized (standardError) {
            return List.copyOf(standardError);
        }
    }

    /** The file a crashed JVM leaves behind. */
    public Optional<String> crashReport() {
        try (Stream<Path> files = Files.list(workDirectory)) {
            Optional<Path> report = files.filter(
                            file -> file.getFileName().toString().startsWith("hs_err"))
                    .findFirst();
            if (report.isEmpty()) {
                return Optional.empty();
            }
            List<String> content = Files.readAllLines(report.get());
            return Optional.of(String.join("\n", content.subList(0, Math.min(120, content.size()))));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Output, stacks and crash report: what one wants to see when a test fails. */
    public String evidence() {
        StringBuilder text = new StringBuilder("--- " + name + ", pid " + pid() + ", "
                + (process.isAlive() ? "running" : "exit code " + process.exitValue()) + "\n");
        synchronized (standardOutput) {
            text.append("-- last lines of stdout\n");
            standardOutput.forEach(line -> text.append(line).append('\n'));
        }
        text.append("-- stderr\n");
        List<String> errors = errorLines();
        errors.subList(Math.max(0, errors.size() - KEPT_LINES), errors.size())
                .forEach(line -> text.append(line).append('\n'));
        crashReport()
                .ifPresent(report ->
                        text.append("-- crash report\n").append(report).append('\n'));
        if (process.isAlive()) {
            text.append("-- threads\n").append(threadDump());
        }
        return text.toString();
    }

    private String threadDump() {
        try {
            Process jcmd = new ProcessBuilder(
                            javaHome.resolve("bin/jcmd").toString(), Long.toString(pid()), "Thread.print")
                    .redirectErrorStream(true)
                    .start();
            // The output may be longer than a pipe holds: read before waiting; jcmd gives up by itself.
            byte[] output = jcmd.getInputStream().readAllBytes();
            jcmd.waitFor();
            return new String(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "no thread dump: " + e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "no thread dump: interrupted";
        }
    }

    /** Kills the process if it still runs and removes its directory. */
    @Override
    public void close() {
        ALIVE.remove(this);
        process.destroyForcibly();
        toChild.close();
        try (Stream<Path> files = Files.walk(workDirectory)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("Left behind: " + workDirectory + ": " + e);
        }
    }

    @Override
    public String toString() {
        return name + "[" + pid() + "]";
    }

    private void onOutput(String line) {
        synchronized (standardOutput) {
            standardOutput.addLast(line);
            if (standardOutput.size() > KEPT_LINES) {
                standardOutput.removeFirst();
            }
        }
        listener.accept(line);
        lines.add(line);
    }

    private void onError(String line) {
        synchronized (standardError) {
            standardError.add(line);
        }
    }

    private Thread startReader(String stream, InputStream in, Consumer<String> sink, Runnable atEnd) {
        Thread thread = new Thread(
                () -> {
                    try (var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
                        String line = reader.readLine();
                        while (line != null) {
                            sink.accept(line);
                            line = reader.readLine();
                        }
                    } catch (IOException e) {
                        onError("reading " + stream + ": " + e);
                    } finally {
                        atEnd.run();
                    }
                },
                name + "-" + stream);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
