package org.ucxnio.bench.programs.http;

import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.ProcessorTime;

/** Main class of the JVMs of the HTTP load: {@code HttpMain <program> <server|client> key=value ...}. */
public final class HttpMain {
    private HttpMain() {}

    public static void main(String[] arguments) {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("usage: HttpMain <program> <server|client> key=value ...");
        }
        Settings settings = Settings.parse(arguments, 2);
        Lifeline.run(() -> {
            Reporter reporter = new Reporter(System.out);
            Lifeline.start(reporter);
            switch (arguments[1]) {
                case "server" -> {
                    BytesServer server = new BytesServer(settings.integer("port"), settings.integer("size"));
                    ProcessorTime.tell(reporter);
                    reporter.ready(server.port());
                }
                case "client" -> {
                    new HttpLoad(settings, reporter).measure();
                    reporter.done();
                }
                default -> throw new IllegalArgumentException("unknown role " + arguments[1]);
            }
            // The launcher ends this JVM through the lifeline.
            Thread.sleep(Long.MAX_VALUE);
        });
    }
}
