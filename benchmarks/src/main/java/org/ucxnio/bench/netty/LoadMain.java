package org.ucxnio.bench.netty;

import java.util.Arrays;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;

/** Main class of the JVMs of Netty's load: {@code LoadMain <program> <server|client> key=value ...}. */
public final class LoadMain {
    private LoadMain() {}

    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("usage: LoadMain <program> <server|client> key=value ...");
        }
        switch (arguments[1]) {
            case "server" -> EchoServer.main(Arrays.copyOfRange(arguments, 2, arguments.length));
            case "client" -> Lifeline.run(() -> drive(Settings.parse(arguments, 2)));
            default -> throw new IllegalArgumentException("unknown role " + arguments[1]);
        }
    }

    private static void drive(Settings settings) throws InterruptedException {
        Reporter reporter = new Reporter(System.out);
        Lifeline.start(reporter);
        new LoadClient(settings, reporter).measure();
        reporter.done();
        // The launcher ends this JVM through the lifeline.
        Thread.sleep(Long.MAX_VALUE);
    }
}
