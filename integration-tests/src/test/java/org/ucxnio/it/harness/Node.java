package org.ucxnio.it.network;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Traffic;

/** A test's handle on a {@link NodeMain} on one of the two hosts. Thread-safe. */
final class Node implements AutoCloseable {
    private final ChildJvm jvm;
    private final AtomicLong lastId = new AtomicLong();
    private final Map<String, CompletableFuture<String>> pending = new ConcurrentHashMap<>();

    private Node(ChildJvm jvm) {
        this.jvm = jvm;
        jvm.onLine(this::onLine);
    }

    /** Starts the program; returns when it is ready for commands. */
    static Node start(JvmBuilder builder) throws IOException {
        Node node = new Node(builder.start());
        node.jvm.expect(NodeMain.READY);
        return node;
    }

    ChildJvm jvm() {
        return jvm;
    }

    /** Begins to carry out a command. */
    CompletableFuture<String> start(String command) {
        String id = Long.toString(lastId.incrementAndGet());
        CompletableFuture<String> result = new CompletableFuture<>();
        pending.put(id, result);
        jvm.send(id + " " + command);
        return result;
    }

    /** Carries out a command and waits for its result. */
    String call(String command) throws InterruptedException {
        return await(start(command));
    }

    /** Waits for the result of a command, which must not fail. */
    String await(CompletableFuture<String> result) throws InterruptedException {
        try {
            return result.get(ChildJvm.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause().getMessage() + "\n" + jvm.evidence(), e);
        } catch (TimeoutException e) {
            throw new AssertionError("No answer within " + ChildJvm.PATIENCE + "\n" + jvm.evidence(), e);
        }
    }

    /** Waits until a command has ended, well or not; returns what it said. */
    String awaitEnd(CompletableFuture<String> result, Duration timeout) throws InterruptedException {
        try {
            return result.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            return e.getCause().getMessage();
        } catch (TimeoutException e) {
            throw new AssertionError("Not over within " + timeout + "\n" + jvm.evidence(), e);
        }
    }

    Traffic traffic() throws InterruptedException {
        return Traffic.parse(call("traffic"));
    }

    /** What the provider tells people. */
    String report() throws InterruptedException {
        return call("report").replace('|', '\n');
    }

    /** Output, stacks, and what the provider says: what one wants to see when a test fails. */
    String evidence() throws InterruptedException {
        String report = awaitEnd(start("report"), Duration.ofSeconds(5)).replace('|', '\n');
        return jvm.evidence() + "\n-- report\n" + report;
    }

    private void onLine(String line) {
        if (line.startsWith(NodeMain.ANSWER)) {
            String[] words = line.substring(NodeMain.ANSWER.length()).split(" ", 3);
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
