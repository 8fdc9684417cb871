package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.ProcessorTime;

/** Main class of every measured JVM: {@code MicroMain <program> <server|client|alone|once> key=value ...}. */
public final class MicroMain {
    private static final int BACKLOG = 1024;
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
        if (arguments[1].equals(ONCE)) {
            once(program(arguments[0], Options.of(settings, reporter)), address(settings), reporter);
            return;
        }
        Lifeline.start(reporter);
        Program program = program(arguments[0], Options.of(settings, reporter));
        switch (arguments[1]) {
            case "server" -> serve(program, address(settings), reporter);
            case "client" -> drive(program, address(settings), reporter);
            case "alone" -> alone(program, address(settings), reporter);
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
            case "connect" -> new ConnectTime(options);
            case "memory" -> new IdleMemory(options);
            case "idle-cpu" -> new IdleCpu(options);
            default -> throw new IllegalArgumentException("unknown program " + name);
        };
    }

    private static InetSocketAddress address(Settings settings) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), settings.integer("port"));
    }

    private static void serve(Program program, InetSocketAddress address, Reporter reporter) throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(address, BACKLOG);
            ProcessorTime.tell(reporter);
            reporter.ready(listener.socket().getLocalPort());
            program.serve(listener);
        }
        park();
    }

    private static void drive(Program program, InetSocketAddress address, Reporter reporter)
            throws IOException, InterruptedException {
        program.drive(address);
        reporter.done();
        park();
    }

    /** A client that ends by itself, and as soon as it can: nothing runs beside it. */
    private static void once(Program program, InetSocketAddress address, Reporter reporter)
            throws IOException, InterruptedException {
        program.drive(address);
        reporter.done();
    }

    /** Server and client in one JVM, the server on a daemon thread. */
    private static void alone(Program program, InetSocketAddress address, Reporter reporter)
            throws IOException, InterruptedException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(address, BACKLOG);
        Thread server = new Thread(() -> serveOrDie(program, listener), "server");
        server.setDaemon(true);
        server.start();
        drive(program, address, reporter);
    }

    private static void serveOrDie(Program program, ServerSocketChannel listener) {
        try {
            program.serve(listener);
        } catch (IOException e) {
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
