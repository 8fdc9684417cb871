package org.ucxnio.bench.aeron;

import io.aeron.FragmentAssembler;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.Latencies;
import org.ucxnio.bench.measure.RateMeter;
import org.ucxnio.bench.measure.RoundTrips;

/** The client's side, which measures. Rounds are those of the programs over sockets. */
final class AeronClient {
    private static final int FIRST_BYTES = 64 * 1024;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final RoundTrips roundTrips = new RoundTrips(this::roundTrip);
    private final AeronLink link;
    private final Reporter reporter;
    private final int size;
    private final int rounds;
    private final long roundNanos;
    private final long warmupNanos;
    private final int clockPort;
    private final UnsafeBuffer message;
    private final UnsafeBuffer header = new UnsafeBuffer(new byte[Long.BYTES]);
    private final FragmentAssembler handler =
            AeronLink.whole((buffer, offset, length, ignored) -> take(buffer, offset, length));
    private boolean streams;
    private long sent;
    private long answered;

    AeronClient(AeronLink link, Settings settings, Reporter reporter) {
        this.link = link;
        this.reporter = reporter;
        size = settings.integer("size", 16);
        rounds = settings.integer("rounds");
        roundNanos = settings.number("round-ms") * NANOS_PER_MILLI;
        warmupNanos = settings.number("warmup-ms") * NANOS_PER_MILLI;
        clockPort = settings.integer("clock-port");
        message = new UnsafeBuffer(ByteBuffer.allocateDirect(size));
    }

    private void take(DirectBuffer buffer, int offset, int length) {
        if (streams) {
            answered = buffer.getLong(offset);
        } else {
            AeronMessage.check(buffer, offset, length, answered);
            answered++;
        }
    }

    private void awaitAnswer(long number) {
        while (answered < number) {
            if (link.poll(handler) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    void measureRoundTrips() throws IOException {
        Latencies latencies = new Latencies(rounds);
        RateMeter meter = new RateMeter(rounds, reporter, clockPort);
        double[] means = new double[rounds];
        roundTrips.timed(warmupNanos / 2, latencies.current());
        roundTrips.mean(warmupNanos / 2);
        latencies.forget();
        for (int i = 0; i < rounds; i++) {
            long first = sent;
            meter.begin();
            roundTrips.timed(roundNanos / 2, latencies.current());
            means[i] = roundTrips.mean(roundNanos / 2) / NANOS_PER_MICRO;
            meter.end(sent - first);
            latencies.endRound(reporter);
        }
        meter.report();
        latencies.report(reporter, "");
        reporter.result("mean", Latencies.median(means));
    }

    private void roundTrip() throws IOException {
        AeronMessage.stamp(message, size, sent);
        link.send(message, 0, size);
        sent++;
        awaitAnswer(sent);
    }

    void measureStream() throws IOException {
        streams = true;
        RateMeter meter = new RateMeter(rounds, reporter, clockPort);
        long messages = Math.max(1, FIRST_BYTES / size);
        long end = System.nanoTime() + warmupNanos;
        long nanos = stream(messages);
        while (System.nanoTime() - end < 0) {
            messages = nanos < roundNanos / 2 ? messages * 2 : messages;
            nanos = stream(messages);
        }
        messages = Math.max(1, Math.round((double) messages * roundNanos / nanos));
        for (int i = 0; i < rounds; i++) {
            meter.begin();
            stream(messages);
            double perSecond = meter.end(messages);
            reporter.progress("round %d of %d: %.2f GB/s".formatted(i + 1, rounds, perSecond * size / 1e9));
        }
        meter.report();
        reporter.result("bytes", meter.median() * size);
    }

    /** Sends {@code messages} messages and waits for their receipt; returns the time it took, ns. */
    private long stream(long messages) throws IOException {
        long start = System.nanoTime();
        answered = 0;
        header.putLong(0, messages);
        link.send(header, 0, Long.BYTES);
        for (long number = 0; number < messages; number++) {
            AeronMessage.stamp(message, size, number);
            link.send(message, 0, size);
        }
        awaitAnswer(messages);
        return System.nanoTime() - start;
    }
}
