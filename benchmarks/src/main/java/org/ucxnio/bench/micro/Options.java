package org.ucxnio.bench.micro;

import java.nio.ByteBuffer;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Points;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.RateMeter;

/**
 * The settings of a program, read once.
 *
 * @param size bytes in a message
 * @param connections number of connections
 * @param rounds measured rounds; medians are taken over them
 * @param roundNanos duration of a round, ns
 * @param warmupNanos duration of the warm-up, ns
 * @param noDelay whether streams have TCP send small messages at once
 * @param heap whether buffers are heap buffers instead of direct ones
 * @param selector whether channels are non-blocking, each side with a selector
 * @param paceNanos pause between two paced round trips, ns
 * @param workMicros work of each side on a message, us
 * @param virtual whether threads that block are virtual ones
 * @param clockPort where the server tells its processor time, 0 where it is this process
 * @param peerPid process id of the server, 0 where it is not needed
 * @param expected what must carry the bytes
 * @param perSecond messages a second that an open load sends
 * @param rate messages a second that all threads together send, 0 for as many as are answered
 * @param point whether the sweep that this is a point of goes on behind it
 * @param reporter where results go
 */
record Options(
        int size,
        int connections,
        int rounds,
        long roundNanos,
        long warmupNanos,
        boolean noDelay,
        boolean heap,
        boolean selector,
        long paceNanos,
        int workMicros,
        boolean virtual,
        int clockPort,
        long peerPid,
        Expectation expected,
        int perSecond,
        int rate,
        boolean point,
        Reporter reporter) {

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_PER_MICRO = 1_000;

    static Options of(Settings settings, Reporter reporter) {
        return new Options(
                settings.integer("size", 16),
                settings.integer("connections", 1),
                settings.integer("rounds", 5),
                settings.number("round-ms", 1000) * NANOS_PER_MILLI,
                settings.number("warmup-ms", 2000) * NANOS_PER_MILLI,
                settings.flag("no-delay"),
                settings.flag("heap"),
                settings.flag("selector"),
                settings.number("pace-us", 2000) * NANOS_PER_MICRO,
                settings.integer("work-us", 0),
                settings.flag("virtual"),
                settings.integer("clock-port", 0),
                settings.number("peer-pid", 0),
                Expectation.of(settings.text("expect", Expectation.ANY.setting())),
                settings.integer("per-second", 10_000),
                settings.integer("rate", 0),
                settings.flag(Points.MORE),
                reporter);
    }

    /** A meter of rates for all rounds. */
    RateMeter rateMeter() {
        return new RateMeter(rounds, reporter, clockPort);
    }

    ByteBuffer buffer(int capacity) {
        return heap ? ByteBuffer.allocate(capacity) : ByteBuffer.allocateDirect(capacity);
    }

    /** A daemon thread that blocks, not started yet. */
    Thread thread(String name, Runnable task) {
        return Threads.unstarted(virtual, name, task);
    }

    /** At the end of the warm-up: waits until the open connections are carried as expected. */
    void awaitMove(int open) {
        Acceleration.awaitMove(expected, open);
    }

    /** Complains loudly if the open connections are not carried as expected. */
    void checkAcceleration(int open) {
        if (point) {
            Acceleration.checkPoint(reporter, expected, open);
        } else {
            Acceleration.check(reporter, expected, open);
        }
    }
}
