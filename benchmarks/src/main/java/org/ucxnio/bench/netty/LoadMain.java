package org.ucxnio.bench.netty;

import java.io.IOException;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Points;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;

/** Main class of the JVMs of Netty's loads: {@code LoadMain <load|stream> <server|client> key=value ...}. */
public final class LoadMain {
    private static final String STREAM = "stream";

    private LoadMain() {}

    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("usage: LoadMain <load|stream> <server|client> key=value ...");
        }
        Settings settings = Settings.parse(arguments, 2);
        boolean stream = arguments[0].equals(STREAM);
        switch (arguments[1]) {
            case "server" -> Lifeline.run(() -> EchoServer.serve(settings.with("sink", stream)));
            case "client" -> Lifeline.run(() -> drive(settings, stream));
            default -> throw new IllegalArgumentException("unknown role " + arguments[1]);
        }
    }

    private static void drive(Settings settings, boolean stream) throws IOException, InterruptedException {
        Reporter reporter = new Reporter(System.out);
        Lifeline.start(reporter);
        Points.measure(settings, reporter, stream ? LoadMain::stream : LoadMain::load);
        reporter.done();
        // The launcher ends this JVM through the lifeline.
        Thread.sleep(Long.MAX_VALUE);
    }

    private static void load(Settings settings, Reporter reporter) throws InterruptedException {
        LoadClient client = new LoadClient(settings, reporter);
        client.measure();
        client.end();
    }

    private static void stream(Settings settings, Reporter reporter) throws InterruptedException {
        new StreamClient(settings, reporter).measure();
    }
}
