package org.ucxnio.bench.zookeeper;

import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;

/** Main class of the client: {@code ClientMain port=<port> warmup-ms= measure-ms= window= expect=}. */
public final class ClientMain {
    private ClientMain() {}

    public static void main(String[] arguments) {
        Lifeline.run(() -> {
            Reporter reporter = new Reporter(System.out);
            Lifeline.start(reporter);
            Settings settings = Settings.parse(arguments, 0);
            measure(settings, reporter);
            reporter.done();
            Thread.sleep(Long.MAX_VALUE);
        });
    }

    private static void measure(Settings settings, Reporter reporter) throws Exception {
        String address = "127.0.0.1:" + settings.integer("port");
        reporter.progress("opening sessions");
        reporter.result("connect", SessionTimes.medianMicros(address));
        Session session = Session.open(address);
        try {
            Stopwatch stopwatch = new Stopwatch(reporter, settings.number("warmup-ms"), settings.number("measure-ms"));
            SyncCalls calls = new SyncCalls(session);
            calls.prepare();
            stopwatch.time("create", calls::create);
            stopwatch.time("get", calls::getData);
            stopwatch.time("set", calls::setData);
            stopwatch.time("multi", calls::multi);
            stopwatch.time("watch", calls::watch);
            PipelinedCalls pipelined = new PipelinedCalls(session, settings.integer("window"));
            stopwatch.rate("async-get", pipelined::getData, pipelined::drain);
            stopwatch.rate("async-set", pipelined::setData, pipelined::drain);
            calls.verify();
            Acceleration.check(reporter, Expectation.of(settings.text("expect")), 1);
        } finally {
            session.close();
        }
    }
}
