package org.ucxnio.bench.programs.bookkeeper;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.bookkeeper.common.component.LifecycleComponent;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.ProcessorTime;

/** Main class of bookies and client: {@code BookKeeperMain <program> <client|any other role> key=value ...}. */
public final class BookKeeperMain {
    private BookKeeperMain() {}

    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("usage: BookKeeperMain <program> <role> key=value ...");
        }
        Settings settings = Settings.parse(arguments, 2);
        Lifeline.run(() -> {
            Reporter reporter = new Reporter(System.out);
            Lifeline.start(reporter);
            if (arguments[1].equals("client")) {
                new LedgerLoad(settings, reporter).measure();
                reporter.done();
            } else {
                serve(settings, reporter);
            }
            // The launcher ends this JVM through the lifeline.
            Thread.sleep(Long.MAX_VALUE);
        });
    }

    /** The first bookie has the metadata service with it. */
    private static void serve(Settings settings, Reporter reporter) throws Exception {
        int number = settings.integer("number");
        Path directory = Path.of(settings.text("directory"));
        Ensemble ensemble = new Ensemble(settings);
        if (number == 0) {
            ensemble.startMetadata(Files.createTempDirectory(directory, "metadata"));
        }
        LifecycleComponent bookie =
                ensemble.newBookie(number, Files.createTempDirectory(directory, "bookie-" + number));
        bookie.setExceptionHandler((thread, failure) -> Lifeline.run(() -> {
            throw new IllegalStateException("the bookie has failed in " + thread.getName(), failure);
        }));
        bookie.start();
        ProcessorTime.tell(reporter);
        reporter.ready(number);
    }
}
