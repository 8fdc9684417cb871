package org.ucxnio.bench.measure;

/** One operation after another, until it is stopped. */
final class LoadThread {
    private static final long JOIN_MILLIS = 30_000;

    private final ThreadedLoad.Operation operation;
    private final LatencyRecorder recorder;
    private final Thread thread;
    private volatile boolean stopped;
    private volatile Throwable failure;

    /**
     * @param operation what it does
     * @param recorder takes how long each operation takes
     * @param name the thread's name
     */
    LoadThread(ThreadedLoad.Operation operation, LatencyRecorder recorder, String name) {
        this.operation = operation;
        this.recorder = recorder;
        thread = new Thread(this::work, name);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void work() {
        try {
            while (!stopped) {
                long start = operation.run();
                recorder.record(System.nanoTime() - start);
            }
        } catch (Exception | Error e) {
            failure = e;
        }
    }

    /** Begins no operation from now on. */
    void stop() {
        stopped = true;
    }

    /** Throws an exception if an operation has failed. */
    void check() {
        if (failure != null) {
            throw new IllegalStateException("an operation failed", failure);
        }
    }

    /** Waits for the end of the last operation; an exception if any has failed. */
    void await() throws InterruptedException {
        thread.join(JOIN_MILLIS);
        check();
        if (thread.isAlive()) {
            throw new IllegalStateException("an operation does not end");
        }
    }
}
