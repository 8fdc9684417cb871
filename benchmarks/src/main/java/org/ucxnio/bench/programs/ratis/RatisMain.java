package org.ucxnio.bench.programs.ratis;

import java.nio.file.Files;
import java.nio.file.Path;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.ProcessorTime;

/** Main class of peers and client: {@code RatisMain <program> <client|any other role> key=value ...}. */
public final class RatisMain {
    private RatisMain() {}

    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("usage: RatisMain <program> <role> key=value ...");
        }
        Settings settings = Settings.parse(arguments, 2);
        Lifeline.run(() -> {
            Reporter reporter = new Reporter(System.out);
            Lifeline.start(reporter);
            if (arguments[1].equals("client")) {
                new CounterLoad(settings, reporter).measure();
                reporter.done();
            } else {
                int number = settings.integer("number");
                Path directory = Files.createTempDirectory(Path.of(settings.text("directory")), "peer-" + number);
                new Quorum(settings).startPeer(number, directory);
                ProcessorTime.tell(reporter);
                reporter.ready(number);
            }
            // The launcher ends this JVM through the lifeline.
            Thread.sleep(Long.MAX_VALUE);
        });
    }
}
