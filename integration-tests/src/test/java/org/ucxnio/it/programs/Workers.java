package org.ucxnio.it.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.ucxnio.it.harness.Threads;

/** Threads that do their work again and again until they are told to stop. The first failure ends the work of all. */
final class Workers {
    private static final long PATIENCE_SECONDS = 25;

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private volatile boolean stopped;

    /** One round of work. */
    @FunctionalInterface
    interface Work {
        void run() throws Exception;
    }

    void start(String name, Work work) {
        threads.add(Threads.daemon(name, () -> {
            try {
                while (!stopped) {
                    work.run();
                }
            } catch (Exception e) {
                stopped = true;
                if (!failure.compareAndSet(null, e)) {
                    e.printStackTrace();
                }
            }
        }));
    }

    /** Throws what has ended the work of a thread, if anything has. */
    void check() {
        Exception cause = failure.get();
        if (cause != null) {
            throw new IllegalStateException("A worker has failed: " + cause, cause);
        }
    }

    /** Waits until every thread has ended its round. */
    void stop() throws InterruptedException {
        stopped = true;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        for (Thread thread : threads) {
            if (!Threads.join(thread, deadline - System.nanoTime())) {
                throw new IllegalStateException(thread.getName() + " does not end its round");
            }
        }
        check();
    }
}
