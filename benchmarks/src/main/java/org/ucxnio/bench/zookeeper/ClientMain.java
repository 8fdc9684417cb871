package org.ucxnio.bench.zookeeper;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.child.Turns;
import org.ucxnio.bench.child.Turns.Turn;

/** Main class of the client: {@code ClientMain port=<port> warmup-ms= measure-ms= window= expect=}. */
public final class ClientMain {
    /** There are many calls: each gets this part of the time. */
    private static final int SHARE = 3;

    /** This part of a turn as much again goes before it and does not count. */
    private static final int SETTLING = 2;

    private ClientMain() {}

    public static void main(String[] arguments) {
        Lifeline.run(() -> {
            Reporter reporter = new Reporter(System.out);
            Turns turns = Lifeline.start(reporter);
            measure(Settings.parse(arguments, 0), reporter, turns);
            reporter.done();
            Thread.sleep(Long.MAX_VALUE);
        });
    }

    private static void measure(Settings settings, Reporter reporter, Turns turns) throws Exception {
        String address = "127.0.0.1:" + settings.integer("port");
        reporter.progress("opening sessions");
        reporter.result("connect", SessionTimes.medianMicros(address));
        Session session = Session.open(address);
        try {
            SyncCalls calls = new SyncCalls(session);
            calls.prepare();
            List<CallTimes> times = times(calls, new PipelinedCalls(session, settings.integer("window")));
            long measureNanos = nanos(settings, "measure-ms");
            reporter.progress("first calls");
            CallTimes first = CallTimes.waiting("first", calls::getData);
            first.run(0, measureNanos);
            first.report(reporter);
            reporter.progress("warming up");
            for (CallTimes each : times) {
                each.run(nanos(settings, "warmup-ms") / times.size(), 0);
            }
            long turnNanos = measureNanos / SHARE / Turns.ROUNDS;
            turns.takeAll(times.stream()
                    .map(each -> new Turn(each.name(), () -> each.run(turnNanos / SETTLING, turnNanos)))
                    .toList());
            for (CallTimes each : times) {
                each.report(reporter);
            }
            calls.verify();
            Acceleration.check(reporter, Expectation.of(settings.text("expect")), 1);
        } finally {
            session.close();
        }
    }

    private static List<CallTimes> times(SyncCalls calls, PipelinedCalls pipelined) {
        return List.of(
                CallTimes.waiting("get", calls::getData),
                CallTimes.waiting("set", calls::setData),
                CallTimes.waiting("create", calls::create),
                CallTimes.waiting("multi", calls::multi),
                CallTimes.waiting("watch", calls::watch),
                CallTimes.pipelined("async-get", pipelined::getData, pipelined::drain),
                CallTimes.pipelined("async-set", pipelined::setData, pipelined::drain));
    }

    private static long nanos(Settings settings, String millis) {
        return TimeUnit.MILLISECONDS.toNanos(settings.number(millis));
    }
}
