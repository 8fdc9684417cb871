package org.ucxnio.channel;

import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/** Calls that are expected to wait in a channel. */
final class WaitingCall {
    private static final int SETTLE_MS = 20;

    private WaitingCall() {}

    /** Begins a call; returns once the thread that makes it is, and stays, in our channel, or the call has ended. */
    static <T> Future<T> start(ExecutorService threads, Callable<T> call) throws InterruptedException {
        AtomicReference<Thread> thread = new AtomicReference<>();
        Future<T> result = threads.submit(() -> {
            thread.set(Thread.currentThread());
            return call.call();
        });
        int seen = 0;
        while (seen < 2 && !result.isDone()) {
            TimeUnit.MILLISECONDS.sleep(SETTLE_MS);
            seen = isInChannel(thread.get()) ? seen + 1 : 0;
        }
        return result;
    }

    private static boolean isInChannel(Thread thread) {
        return thread != null
                && Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().equals(KernelStream.class.getName()));
    }
}
