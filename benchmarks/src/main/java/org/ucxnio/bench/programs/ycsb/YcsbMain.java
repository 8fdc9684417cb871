package org.ucxnio.bench.programs.ycsb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.ProcessorTime;
import org.ucxnio.bench.programs.coordination.ZooKeeperDb;
import org.ucxnio.bench.programs.coordination.ZooKeeperServer;
import org.ucxnio.bench.programs.keyvalue.KeyValueDb;
import org.ucxnio.bench.programs.keyvalue.KeyValueServer;
import site.ycsb.DB;

/**
 * Main class of the JVMs of the workloads: {@code YcsbMain <grpc|zookeeper> <server|client> key=value ...}. Of several servers and clients
 * all but the client that measures have another role; the first {@code servers} of them are servers.
 */
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
                case "server" -> serve(arguments[0], settings.integer("port"), settings, reporter);
                case "client" -> {
                    newClient(arguments[0], settings, reporter).measure();
                    reporter.done();
                }
                default -> take(settings.integer("number"), arguments[0], settings, reporter);
            }
            // The launcher ends this JVM through the lifeline.
            Thread.sleep(Long.MAX_VALUE);
        });
    }

    /** Takes the part of process {@code number}. */
    private static void take(int number, String program, Settings settings, Reporter reporter) throws Exception {
        if (number < settings.integer("servers")) {
            serve(program, serverPorts(settings)[number], settings, reporter);
        } else {
            newClient(program, settings, reporter).tell();
            ProcessorTime.tell(reporter);
            reporter.ready(number);
        }
    }

    private static void serve(String program, int port, Settings settings, Reporter reporter) throws Exception {
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

    private static YcsbClient newClient(String program, Settings settings, Reporter reporter) throws Exception {
        IntFunction<DB> store = switch (program) {
            case "grpc" -> KeyValueDb::new;
            case "zookeeper" -> port -> new ZooKeeperDb(port, isNetty(settings));
            default -> throw new IllegalArgumentException("unknown program " + program);
        };
        int[] ports = serverPorts(settings);
        return new YcsbClient(
                settings,
                reporter,
                () -> new SpreadDb(Arrays.stream(ports).mapToObj(store).toList()));
    }

    private static int[] serverPorts(Settings settings) {
        return Arrays.copyOf(settings.integers("ports", "port"), settings.integer("servers", 1));
    }

    private static boolean isNetty(Settings settings) {
        return settings.text("factory").equals("netty");
    }
}
