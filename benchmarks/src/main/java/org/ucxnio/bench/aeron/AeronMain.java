package org.ucxnio.bench.aeron;

import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Points;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.ProcessorTime;

/**
 * Main class of the JVMs over Aeron: {@code AeronMain <ping-pong|stream> <server|client> key=value ...}. The server has the media
 * driver, whose one thread shares its core: it does nothing for a byte.
 */
public final class AeronMain {
    private static final int TERM_BYTES = 16 << 20;

    /** Three terms each way, and what else the driver keeps. */
    private static final long SHARED_BYTES = 8L * TERM_BYTES;

    private static final int BYTES_PER_MIB = 1 << 20;
    private static final String STREAM = "stream";

    private AeronMain() {}

    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("usage: AeronMain <ping-pong|stream> <server|client> key=value ...");
        }
        Settings settings = Settings.parse(arguments, 2);
        boolean stream = arguments[0].equals(STREAM);
        Reporter reporter = new Reporter(System.out);
        Lifeline.start(reporter);
        switch (arguments[1]) {
            case "server" -> Lifeline.run(() -> serve(settings, stream, reporter));
            case "client" -> Lifeline.run(() -> drive(settings, stream, reporter));
            default -> throw new IllegalArgumentException("unknown role " + arguments[1]);
        }
    }

    private static String directory(Settings settings) {
        return settings.text("aeron") + '-' + settings.text("port");
    }

    /** What {@code memory}, where its files go, lacks for it, or empty. */
    public static String unavailable(Path memory) throws IOException {
        long free = Files.getFileStore(memory).getUsableSpace();
        return free >= SHARED_BYTES
                ? ""
                : "it takes %d MiB in %s, where %d are free"
                        .formatted(SHARED_BYTES / BYTES_PER_MIB, memory, free / BYTES_PER_MIB);
    }

    private static void serve(Settings settings, boolean stream, Reporter reporter) throws IOException {
        String reason = unavailable(Path.of(settings.text("aeron")).getParent());
        if (!reason.isEmpty()) {
            reporter.unavailable(reason);
            return;
        }
        MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory(settings))
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .threadingMode(ThreadingMode.SHARED)
                .ipcTermBufferLength(TERM_BYTES)
                .ipcMtuLength(Configuration.MAX_UDP_PAYLOAD_LENGTH));
        Runtime.getRuntime().addShutdownHook(new Thread(driver::close, "driver-end"));
        AeronServer server = new AeronServer(AeronLink.ofServer(directory(settings)));
        ProcessorTime.tell(reporter);
        reporter.ready(0);
        if (stream) {
            server.take();
        } else {
            server.echo();
        }
    }

    private static void drive(Settings settings, boolean stream, Reporter reporter)
            throws IOException, InterruptedException {
        AeronLink link = AeronLink.ofClient(directory(settings));
        link.awaitPeer();
        Points.measure(settings, reporter, (point, at) -> {
            AeronClient client = new AeronClient(link, point, at);
            if (stream) {
                client.measureStream();
            } else {
                client.measureRoundTrips();
            }
        });
        Acceleration.check(reporter, Expectation.ANY, 0);
        reporter.done();
        // The launcher ends this JVM through the lifeline.
        Thread.sleep(Long.MAX_VALUE);
    }
}
