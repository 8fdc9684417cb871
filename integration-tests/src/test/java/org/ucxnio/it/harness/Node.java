package org.ucxnio.it.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** A test's handle on a {@code NodeMain}, one of two between which there are connections. Thread-safe. */
public final class Node implements AutoCloseable {
    /** What the line after the start begins with. */
    public static final String READY = "READY";

    /** What the answer to a command starts with. */
    public static final String ANSWER = "ANSWER ";

    private final ChildJvm jvm;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<String, CompletableFuture<String>> pending = new ConcurrentHashMap<>();

    private Node(ChildJvm jvm) {
        this.jvm = jvm;
        jvm.onLine(this::onLine);
    }

    /** Starts the program; returns when it is ready for commands. */
    public static Node start(JvmBuilder builder) throws IOException {
        Node node = new Node(builder.start());
        node.jvm.expect(READY);
        return node;
    }

    public ChildJvm jvm() {
        return jvm;
    }

    /** Begins to carry out a command. */
    public CompletableFuture<String> start(String command) {
        String id = Long.toString(lastId.incrementAndGet());
        CompletableFuture<String> result = new CompletableFuture<>();
        pending.put(id, result);
        jvm.send(id + " " + command);
        return result;
    }

    /** Carries out a command and waits for its result. */
    public String call(String command) throws InterruptedException {
        return await(start(command));
    }

    /** Waits for the result of a command, which must not fail. */
    public String await(CompletableFuture<String> result) throws InterruptedException {
        try {
            return result.get(ChildJvm.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause().getMessage() + "\n" + jvm.evidence(), e);
        } catch (TimeoutException e) {
            throw new AssertionError("No answer within " + ChildJvm.PATIENCE + "\n" + jvm.evidence(), e);
        }
    }

    /** Waits until a command has ended, well or not; returns what it said. */
    public String awaitEnd(CompletableFuture<String> result, Duration timeout) throws InterruptedException {
        try {
            return result.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            return e.getCause().getMessage();
        } catch (TimeoutException e) {
            throw new AssertionError("Not over within " + timeout + "\n" + jvm.evidence(), e);
        }
    }

    public Traffic traffic() throws InterruptedException {
        return Traffic.parse(call("traffic"));
    }

    private int moved() throws InterruptedException {
        Traffic traffic = traffic();
        return traffic.rings() + traffic.accelerated();
    }

    /** Waits until this many open connections have moved. */
    public void awaitRings(int connections) throws InterruptedException {
        long deadline = System.nanoTime() + ChildJvm.PATIENCE.toNanos();
        int rings = moved();
        while (rings < connections) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError(rings + " of " + connections + " connections are over rings\n" + evidence());
            }
            TimeUnit.MILLISECONDS.sleep(10);
            rings = moved();
        }
    }

    /** What the provider tells people. */
    public String report() throws InterruptedException {
        return call("report").replace('|', '\n');
    }

    /** Output, stacks, and what the provider says: what one wants to see when a test fails. */
    public String evidence() throws InterruptedException {
        String report = awaitEnd(start("report"), Duration.ofSeconds(5)).replace('|', '\n');
        return jvm.evidence() + "\n-- report\n" + report;
    }

    /** Sends bytes to the other end of a connection and checks them there. */
    public void transfer(Node to, String name, long count) throws InterruptedException {
        try {
            CompletableFuture<String> read = to.start("read " + name + " " + count);
            call("write " + name + " " + count);
            String arrived = to.await(read);
            if (!arrived.equals(Long.toString(count))) {
                throw new AssertionError(arrived + " bytes of " + count + " arrived");
            }
        } catch (AssertionError e) {
            // Both are gone by the time the failure is reported.
            throw new AssertionError(e.getMessage() + "\n" + evidence() + "\n" + to.evidence(), e);
        }
    }

    /** Lets the process open this many descriptors more than it has. The limit is one of numbers: none below it may be free. */
    public void allowDescriptors(int more) throws IOException, InterruptedException {
        long pid = jvm.pid();
        call("hold " + (Proc.highestDescriptor(pid) + 1 - Proc.descriptors(pid)));
        int limit = Proc.highestDescriptor(pid) + 1 + more;
        Process process = new ProcessBuilder("prlimit", "--pid", Long.toString(pid), "--nofile=" + limit + ":")
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            Skips.skip("prlimit: " + said);
        }
    }

    /** The child has not crashed and has nothing bad to tell. */
    public void expectQuiet() {
        boolean bad = jvm.crashReport().isPresent()
                || jvm.errorLines().stream().anyMatch(line -> line.contains("Exception") || line.contains("SEVERE"));
        if (bad) {
            throw new AssertionError("Something is wrong\n" + jvm.evidence());
        }
    }

    private void onLine(String line) {
        if (line.startsWith(ANSWER)) {
            String[] words = line.substring(ANSWER.length()).split(" ", 3);
            CompletableFuture<String> result = pending.remove(words[0]);
            if (words[1].equals("ok")) {
                result.complete(words[2]);
            } else {
                result.completeExceptionally(new IOException(words[2]));
            }
        }
    }

    @Override
    public void close() {
        jvm.close();
    }
}
