package org.ucxnio.bench.programs.ycsb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.ProcessorTime;
import org.ucxnio.bench.programs.coordination.ZooKeeperDb;
import org.ucxnio.bench.programs.coordination.ZooKeeperServer;
import org.ucxnio.bench.programs.keyvalue.KeyValueDb;
import org.ucxnio.bench.programs.keyvalue.KeyValueServer;
import site.ycsb.DB;

/** Main class of the JVMs of the workloads: {@code YcsbMain <grpc|zookeeper> <server|client> key=value ...}. */
public final class YcsbMain {
    private YcsbMain() {}

    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("usage: YcsbMain <grpc|zookeeper> <server|client> key=value ...");
        }
        Settings settings = Settings.parse(arguments, 2);
        Lifeline.run(() -> {
            Reporter reporter = new Reporter(System.out);
            Lifeline.start(reporter);
            switch (arguments[1]) {
                case "server" -> serve(arguments[0], settings, reporter);
                case "client" -> drive(arguments[0], settings, reporter);
                default -> throw new IllegalArgumentException("unknown role " + arguments[1]);
            }
            // The launcher ends this JVM through the lifeline.
            Thread.sleep(Long.MAX_VALUE);
        });
    }

    private static void serve(String program, Settings settings, Reporter reporter) throws Exception {
        int port = settings.integer("port");
        int bound = switch (program) {
            case "grpc" -> new KeyValueServer(port, settings.text("executor").equals("direct")).port();
            case "zookeeper" -> {
                Path directory = Files.createTempDirectory(Path.of(settings.text("directory")), program);
                yield new ZooKeeperServer(port, directory, isNetty(settings)).port();
            }
            default -> throw new IllegalArgumentException("unknown program " + program);
        };
        ProcessorTime.tell(reporter);
        reporter.ready(bound);
    }

    private static void drive(String program, Settings settings, Reporter reporter) throws Exception {
        int port = settings.integer("port");
        Supplier<DB> databases = switch (program) {
            case "grpc" -> () -> new KeyValueDb(port);
            case "zookeeper" -> () -> new ZooKeeperDb(port, isNetty(settings));
            default -> throw new IllegalArgumentException("unknown program " + program);
        };
        new YcsbClient(settings, reporter, databases).measure();
        reporter.done();
    }

    private static boolean isNetty(Settings settings) {
        return settings.text("factory").equals("netty");
    }
}
