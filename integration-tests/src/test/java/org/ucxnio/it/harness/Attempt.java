package org.ucxnio.it.harness;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * A call on a thread of its own, such as one that is expected to block.
 *
 * @param <T> what the call returns
 */
public final class Attempt<T> {
    private static final long PATIENCE_MS = 20_000;
    private static final long SETTLE_MS = 20;

    private final CompletableFuture<T> outcome = new CompletableFuture<>();
    private final Thread thread;
    private volatile boolean interruptedAtEnd;

    private Attempt(Callable<T> call, BiFunction<String, Runnable, Thread> starter) {
        thread = starter.apply("attempt", () -> run(call));
    }

    public static <T> Attempt<T> start(Callable<T> call) {
        return new Attempt<>(call, Threads::daemon);
    }

    /** On a virtual thread where there are any. */
    public static <T> Attempt<T> startVirtual(Callable<T> call) {
        return new Attempt<>(call, Threads::virtual);
    }

    private void run(Callable<T> call) {
        try {
            T result = call.call();
            interruptedAtEnd = Thread.currentThread().isInterrupted();
            outcome.complete(result);
        } catch (Throwable e) {
            interruptedAtEnd = Thread.currentThread().isInterrupted();
            outcome.completeExceptionally(e);
        }
    }

    public Thread thread() {
        return thread;
    }

    public boolean isDone() {
        return outcome.isDone();
    }

    /** Whether the interrupt status was set when the call returned or threw. */
    public boolean wasInterruptedAtEnd() {
        return interruptedAtEnd;
    }

    /** Waits until the thread is, and stays, in a method of this name of a channel or selector. */
    public Attempt<T> awaitInside(String method) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        int seen = 0;
        while (seen < 2) {
            if (isDone()) {
                throw new AssertionError("Did not block in " + method + " but ended with " + outcome);
            }
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("Never came into " + method);
            }
            seen = isInside(method) ? seen + 1 : 0;
            Thread.sleep(SETTLE_MS);
        }
        return this;
    }

    private boolean isInside(String method) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals(method)
                        && (frame.getClassName().startsWith("sun.nio.ch.")
                                || frame.getClassName().startsWith("java.nio.channels.")
                                || frame.getClassName().startsWith("org.ucxnio.channel.")
                                || frame.getClassName().startsWith("org.ucxnio.selector.")));
    }

    /** Waits for the call and returns its result; an exception of the call fails the test. */
    public T result() throws InterruptedException {
        try {
            return outcome.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("The call failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw stuck(e);
        }
    }

    /** Waits for the exception with which the call is expected to end. */
    public Throwable failure() throws InterruptedException {
        try {
            T result = outcome.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
            throw new AssertionError("The call returned " + result);
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (TimeoutException e) {
            throw stuck(e);
        }
    }

    private AssertionError stuck(TimeoutException cause) {
        AssertionError error = new AssertionError("The call neither returned nor failed", cause);
        error.setStackTrace(thread.getStackTrace());
        return error;
    }
}
