package org.ucxnio.bench.alltoall;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.ucxnio.bench.measure.ProcessorTime;
import org.ucxnio.bench.measure.Teller;

/** Counts what a process sends and receives, and tells others on a port. */
final class Tally {
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();

    /**
     * The counts of a process at a moment.
     *
     * @param sent messages that it sent so far
     * @param received messages that it received so far
     * @param processorNanos processor time that it used so far
     * @param nanos the moment, by the clock that all processes of a host share
     */
    record Count(long sent, long received, long processorNanos, long nanos) {}

    void countSent() {
        sent.increment();
    }

    void countReceived() {
        received.increment();
    }

    Count count() {
        return new Count(sent.sum(), received.sum(), ProcessorTime.own(), System.nanoTime());
    }

    /** Tells every process of this host that asks; returns the port. */
    int tell() throws IOException {
        return Teller.start(Teller.ANY, out -> {
            Count count = count();
            out.writeLong(count.sent());
            out.writeLong(count.received());
            out.writeLong(count.processorNanos());
            out.writeLong(count.nanos());
        });
    }

    /** The counts of the process that tells them on {@code port}. */
    static Count of(int port) {
        return Teller.ask(port, in -> new Count(in.readLong(), in.readLong(), in.readLong(), in.readLong()));
    }
}
