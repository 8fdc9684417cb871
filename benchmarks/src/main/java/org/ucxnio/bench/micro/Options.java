package org.ucxnio.bench.micro;

import java.nio.ByteBuffer;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;

/**
 * The settings of a program, read once.
 *
 * @param size bytes in a message
 * @param connections number of connections
 * @param rounds measured rounds; medians are taken over them
 * @param roundNanos duration of a round, ns
 * @param warmupNanos duration of the warm-up, ns
 * @param heap whether buffers are heap buffers instead of direct ones
 * @param selector whether channels are non-blocking, each side with a selector
 * @param paceNanos pause between two paced round trips, ns
 * @param workMicros work of each side on a message, us
 * @param clockPort where the server tells its processor time, 0 where it is this process
 * @param peerPid process id of the server, 0 where it is not needed
 * @param expect whether the run must be accelerated: "yes", "no" or anything else
 * @param reporter where results go
 */
record Options(
        int size,
        int connections,
        int rounds,
        long roundNanos,
        long warmupNanos,
        boolean heap,
        boolean selector,
        long paceNanos,
        int workMicros,
        int clockPort,
        long peerPid,
        String expect,
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
                settings.flag("heap"),
                settings.flag("selector"),
                settings.number("pace-us", 2000) * NANOS_PER_MICRO,
                settings.integer("work-us", 0),
                settings.integer("clock-port", 0),
                settings.number("peer-pid", 0),
                settings.text("expect", "any"),
                reporter);
    }

    ByteBuffer buffer(int capacity) {
        return heap ? ByteBuffer.allocate(capacity) : ByteBuffer.allocateDirect(capacity);
    }

    /** Complains loudly if the open connections are not carried as expected. */
    void checkAcceleration(int open) {
        Acceleration.check(reporter, expect, open);
    }
}
