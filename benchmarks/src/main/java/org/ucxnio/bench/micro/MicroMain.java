package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.ProcessorTime;

/** Main class of every measured JVM: {@code MicroMain <program> <server|client|alone|once> key=value ...}. */
public final class MicroMain {
    private static final String ONCE = "once";

    private MicroMain() {}

    public static void main(String[] arguments) {
        Lifeline.run(() -> run(arguments));
    }

    private static void run(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length < 2) {
            throw new IllegalArgumentException("usage: MicroMain <program> <server|client|alone|once> key=value ...");
        }
        Settings settings = Settings.parse(arguments, 2);
        Reporter reporter = new Reporter(System.out);
        SocketAddress address = Sockets.address(settings);
        if (arguments[1].equals(ONCE)) {
            once(program(arguments[0], Options.of(settings, reporter)), address, reporter);
            return;
        }
        Lifeline.start(reporter);
        Program program = new Sweep(settings, reporter, options -> program(arguments[0], options));
        switch (arguments[1]) {
            case "server" -> serve(program, address, reporter);
            case "client" -> drive(program, address, reporter);
            case "alone" -> alone(program, address, reporter);
            default -> throw new IllegalArgumentException("unknown role " + arguments[1]);
        }
    }

    private static Program program(String name, Options options) {
        return switch (name) {
            case "ping-pong" -> new PingPong(options);
            case "threads" -> new ThreadedEcho(options);
            case "short" -> new ShortConnections(options);
            case "first" -> new FirstConnection(options);
            case "process" -> new PairInOne(options);
            case "many" -> new ManyPingPong(options);
            case "paced" -> new PacedPingPong(options);
            case "stream" -> new Stream(options);
            case "duplex" -> new Duplex(options);
            case "open" -> new OpenLoad(options);
            case "connect" -> new ConnectTime(options);
            case "memory" -> new IdleMemory(options);
            case "idle-cpu" -> new IdleCpu(options);
            default -> throw new IllegalArgumentException("unknown program " + name);
        };
    }

    private static void serve(Program program, SocketAddress address, Reporter reporter)
            throws IOException, InterruptedException {
        try (ServerSocketChannel listener = Sockets.listen(address)) {
            ProcessorTime.tell(reporter);
            reporter.ready(Sockets.port(listener));
            program.serve(listener);
        }
        park();
    }

    private static void drive(Program program, SocketAddress address, Reporter reporter)
            throws IOException, InterruptedException {
        program.drive(address);
        reporter.done();
        park();
    }

    /** A client that ends by itself, and as soon as it can: nothing runs beside it. */
    private static void once(Program program, SocketAddress address, Reporter reporter)
            throws IOException, InterruptedException {
        program.drive(address);
        reporter.done();
    }

    /** Server and client in one JVM, the server on a daemon thread. */
    private static void alone(Program program, SocketAddress address, Reporter reporter)
            throws IOException, InterruptedException {
        ServerSocketChannel listener = Sockets.listen(address);
        Thread server = new Thread(() -> serveOrDie(program, listener), "server");
        server.setDaemon(true);
        server.start();
        drive(program, address, reporter);
    }

    private static void serveOrDie(Program program, ServerSocketChannel listener) {
        try {
            program.serve(listener);
        } catch (IOException | InterruptedException e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    /** Waits for the launcher to end this JVM, which the lifeline does. */
    private static void park() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
