package org.ucxnio.bench.demo;

import java.util.List;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.launch.Child;
import org.ucxnio.bench.launch.Children;
import org.ucxnio.bench.launch.JvmCommand;
import org.ucxnio.bench.launch.LaunchException;
import org.ucxnio.bench.launch.Ports;
import org.ucxnio.bench.launch.Progress;
import org.ucxnio.bench.launch.Provider;
import org.ucxnio.bench.table.Unit;

/**
 * The Netty echo pair. One core each, as each side has one busy thread: left alone, the kernel puts both on the same core
 * now and then, which halves or doubles a round trip by chance.
 */
final class Netty implements Program {
    private static final String PACKAGE = "org.ucxnio.bench.netty.";
    private static final int SIZE = 64;
    private static final int CONNECTIONS = 64;
    private static final int DEPTH = 16;
    private static final int SERVER_CORE = 0;
    private static final int CLIENT_CORE = 1;

    private final long warmupMillis;
    private final long measureMillis;

    Netty(long warmupMillis, long measureMillis) {
        this.warmupMillis = warmupMillis;
        this.measureMillis = measureMillis;
    }

    @Override
    public String title() {
        return "Netty 4.2 echo, " + SIZE + " B, one event loop each side";
    }

    @Override
    public String name() {
        return "Netty";
    }

    @Override
    public List<Figure> figures() {
        String many = CONNECTIONS + " connections x " + DEPTH + " under way, ";
        return List.of(
                Figure.lower("connect", "connect, median", Unit.MICROS),
                Figure.lower(
                        "short-p50",
                        "short connection (connect, " + SIZE + " B there and back, close) p50",
                        Unit.MICROS),
                Figure.lower("short-p99", "short connection p99", Unit.MICROS),
                Figure.higher("first", many + "from their first message on, echoes", Unit.PER_SECOND),
                Figure.lower("first-p99", many + "from their first message on, p99", Unit.MICROS),
                Figure.lower("rtt-p50", "1 connection, round trip p50", Unit.MICROS),
                Figure.lower("rtt-p99", "1 connection, round trip p99", Unit.MICROS),
                Figure.higher("rate", many + "echoes", Unit.PER_SECOND),
                Figure.lower("rate-p50", many + "p50", Unit.MICROS),
                Figure.lower("rate-p99", many + "p99", Unit.MICROS));
    }

    @Override
    public Pair start(Provider provider, Children children, Progress progress)
            throws LaunchException, InterruptedException {
        String port = "port=" + Ports.free();
        Child server = children.start(
                "netty-server-" + provider,
                new JvmCommand(provider)
                        .core(SERVER_CORE)
                        .main(PACKAGE + "EchoServer")
                        .arguments(List.of(port)),
                progress::detail);
        server.await(Reporter.READY, START_TIMEOUT);
        Child client = children.start(
                "netty-client-" + provider,
                new JvmCommand(provider)
                        .core(CLIENT_CORE)
                        .main(PACKAGE + "EchoClient")
                        .arguments(clientArguments(provider, port)),
                progress::detail);
        return new Pair(client, server);
    }

    private List<String> clientArguments(Provider provider, String port) {
        return List.of(
                port,
                "size=" + SIZE,
                "connections=" + CONNECTIONS,
                "depth=" + DEPTH,
                "warmup-ms=" + warmupMillis,
                "measure-ms=" + measureMillis,
                Program.expectation(provider));
    }
}
