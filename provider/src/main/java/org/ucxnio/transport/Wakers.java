package org.ucxnio.transport;

/** Who is told that a connection became readable or writable: threads that wait for it, and the channel's listener. Thread-safe. */
final class Wakers {
    private final Waiting readers;
    private final Waiting writers;
    private volatile ReadinessListener listener;

    Wakers(Waiting readers, Waiting writers) {
        this.readers = readers;
        this.writers = writers;
    }

    /** Who is told from now on; null for nobody. */
    void setListener(ReadinessListener newListener) {
        listener = newListener;
    }

    void readable() {
        readers.wake();
        signal();
    }

    void writable() {
        writers.wake();
        signal();
    }

    private void signal() {
        ReadinessListener target = listener;
        if (target != null) {
            target.onReady();
        }
    }

    boolean awaitReadable(TransportWorker worker, long timeoutNanos) {
        return readers.await(worker, timeoutNanos, false);
    }

    boolean awaitWritable(TransportWorker worker, long timeoutNanos) {
        return writers.await(worker, timeoutNanos, true);
    }
}
