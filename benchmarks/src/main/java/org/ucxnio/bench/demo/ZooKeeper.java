package org.ucxnio.bench.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ucxnio.bench.launch.Child;
import org.ucxnio.bench.launch.Children;
import org.ucxnio.bench.launch.JvmCommand;
import org.ucxnio.bench.launch.LaunchException;
import org.ucxnio.bench.launch.Ports;
import org.ucxnio.bench.launch.Progress;
import org.ucxnio.bench.launch.Provider;
import org.ucxnio.bench.table.Unit;

/** The ZooKeeper server and its client. */
final class ZooKeeper implements Program {
    private static final String PACKAGE = "org.ucxnio.bench.zookeeper.";
    private static final int WINDOW = 128;
    private static final long POLL_MILLIS = 50;

    private final long warmupMillis;
    private final long measureMillis;

    ZooKeeper(long warmupMillis, long measureMillis) {
        this.warmupMillis = warmupMillis;
        this.measureMillis = measureMillis;
    }

    @Override
    public String title() {
        return "ZooKeeper 3.9 standalone and its Java client, 128 B nodes, no fsync";
    }

    @Override
    public String name() {
        return "ZooKeeper";
    }

    @Override
    public List<Figure> figures() {
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.lower("connect", "open a session, median", Unit.MICROS));
        figures.add(Figure.higher("first-rate", "getData, from the first on, one at a time", Unit.PER_SECOND));
        figures.add(Figure.lower("first-p99", "getData, from the first on, p99", Unit.MICROS));
        for (String[] call : new String[][] {
            {"get", "getData"},
            {"set", "setData"},
            {"create", "create"},
            {"multi", "multi"},
            {"watch", "watch set and fired"}
        }) {
            figures.add(Figure.lower(call[0] + "-p50", call[1] + " p50", Unit.MICROS));
            figures.add(Figure.lower(call[0] + "-p99", call[1] + " p99", Unit.MICROS));
            figures.add(Figure.higher(call[0] + "-rate", call[1] + ", one at a time", Unit.PER_SECOND));
        }
        figures.add(Figure.higher("async-get-rate", "getData, " + WINDOW + " under way", Unit.PER_SECOND));
        figures.add(Figure.higher("async-set-rate", "setData, " + WINDOW + " under way", Unit.PER_SECOND));
        return figures;
    }

    @Override
    public Pair start(Provider provider, Children children, Progress progress)
            throws LaunchException, InterruptedException {
        int port = Ports.free();
        Path configuration = writeConfiguration(children.directory(), provider, port);
        Child server = children.start(
                "zookeeper-server-" + provider,
                new JvmCommand(provider).main(PACKAGE + "ServerMain").arguments(List.of(configuration.toString())),
                progress::detail);
        awaitPort(port, server);
        Child client = children.start(
                "zookeeper-client-" + provider,
                new JvmCommand(provider).main(PACKAGE + "ClientMain").arguments(clientArguments(provider, port)),
                progress::detail);
        return new Pair(client, server);
    }

    private List<String> clientArguments(Provider provider, int port) {
        return List.of(
                "port=" + port,
                "window=" + WINDOW,
                "warmup-ms=" + warmupMillis,
                "measure-ms=" + measureMillis,
                Program.expectation(provider));
    }

    private static Path writeConfiguration(Path directory, Provider provider, int port) throws LaunchException {
        try {
            Path home = Files.createDirectories(directory.resolve("zookeeper-" + provider));
            return Files.writeString(home.resolve("zoo.cfg"), """
                    tickTime=2000
                    dataDir=%s
                    clientPort=%d
                    clientPortAddress=127.0.0.1
                    maxClientCnxns=0
                    admin.enableServer=false
                    forceSync=no
                    """.formatted(home.resolve("data"), port));
        } catch (IOException e) {
            throw new LaunchException("no configuration for ZooKeeper: " + e.getMessage(), e);
        }
    }

    /** Waits until the server listens. ZooKeeper's main class does not say so by itself. */
    private static void awaitPort(int port, Child server) throws LaunchException, InterruptedException {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (System.nanoTime() - deadline < 0 && server.isAlive()) {
            try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
                if (probe.isConnected()) {
                    return;
                }
            } catch (IOException notYet) {
                Thread.sleep(POLL_MILLIS);
            }
        }
        throw server.failure("does not listen on port " + port);
    }
}
