package org.ucxnio.bench.programs.kafka;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.ProcessorTime;

/** Main class of the JVMs of Kafka's tools: {@code KafkaMain <program> <server|client> key=value ...}. */
public final class KafkaMain {
    private KafkaMain() {}

    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("usage: KafkaMain <program> <server|client> key=value ...");
        }
        Settings settings = Settings.parse(arguments, 2);
        Lifeline.run(() -> {
            Reporter reporter = new Reporter(System.out);
            Lifeline.start(reporter);
            switch (arguments[1]) {
                case "server" -> serve(settings, reporter);
                case "client" -> {
                    new KafkaLoad(settings, reporter).measure();
                    reporter.done();
                }
                default -> throw new IllegalArgumentException("unknown role " + arguments[1]);
            }
            // The launcher ends this JVM through the lifeline.
            Thread.sleep(Long.MAX_VALUE);
        });
    }

    private static void serve(Settings settings, Reporter reporter) throws Exception {
        Path directory = Files.createTempDirectory(Path.of(settings.text("directory")), "kafka");
        int controllerPort;
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            controllerPort = probe.getLocalPort();
        }
        int port = settings.integer("port");
        new Broker(port, controllerPort, directory);
        ProcessorTime.tell(reporter);
        reporter.ready(port);
    }
}
