package org.ucxnio.bench.alltoall;

import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;

/** Main class of the processes: {@code AllToAllMain <program> <client|any other role> key=value ...}. The client comes last and measures. */
public final class AllToAllMain {
    private AllToAllMain() {}

    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("usage: AllToAllMain <program> <role> key=value ...");
        }
        Settings settings = Settings.parse(arguments, 2);
        Lifeline.run(() -> {
            Reporter reporter = new Reporter(System.out);
            Lifeline.start(reporter);
            Tally tally = new Tally();
            Member member = new Member(settings, tally);
            member.start();
            if (arguments[1].equals("client")) {
                measure(settings, member, tally, reporter);
                reporter.done();
            } else {
                reporter.clock(tally.tell());
                reporter.ready(settings.integer("number"));
            }
            // The launcher ends this JVM through the lifeline.
            Thread.sleep(Long.MAX_VALUE);
        });
    }

    /** Measures all processes, of which {@code member} is this one, and reports. */
    static void measure(Settings settings, Member member, Tally tally, Reporter reporter) throws Exception {
        Expectation expected = Expectation.of(settings.text("expect"));
        int[] ports = settings.integers("clock-ports");
        Thread.sleep(settings.number("warmup-ms"));
        Acceleration.awaitMove(expected, member.peers());
        new Conductor(tally, ports, settings.integer("rounds")).measure(settings.number("round-ms"), reporter);
        Acceleration.check(reporter, expected, member.peers());
    }
}
