package org.ucxnio.it.storm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.ucxnio.it.harness.Threads;
import org.ucxnio.it.harness.Traffic;

/**
 * One of the two processes. Arguments: {@code server} or {@code client}, port, a number as its name, seed, seconds, and for a client the
 * number of connections it keeps open. Commands on standard input: {@code go} for a client to begin, {@code stats}, {@code traffic}; the
 * program ends with it.
 */
public final class StormMain {
    private static final String HOST = "127.0.0.1";

    private final Storm storm;
    private final List<Loop> loops;

    private StormMain(Storm storm) throws IOException {
        this.storm = storm;
        this.loops = List.of(Loop.start(storm), Loop.start(storm));
    }

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[1]);
        Storm storm =
                new Storm(Integer.parseInt(arguments[2]), Long.parseLong(arguments[3]), Long.parseLong(arguments[4]));
        StormMain program = new StormMain(storm);
        if (arguments[0].equals("server")) {
            program.listen(port);
        }
        Storm.print("READY");
        try (var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                switch (line) {
                    case "go" -> program.connect(port, Integer.parseInt(arguments[5]));
                    case "stats" -> Storm.print("STATS " + storm.stats());
                    case "collect" -> {
                        System.gc();
                        Storm.print("COLLECTED");
                    }
                    default -> Storm.print(Traffic.ofThisJvm().toLine());
                }
            }
        }
        System.exit(0);
    }

    private void connect(int port, int connections) {
        for (int i = 0; i < connections; i++) {
            connect(new InetSocketAddress(HOST, port));
        }
        Storm.print("STARTED");
    }

    private void listen(int port) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(HOST, port), 200);
        Threads.daemon("acceptor", () -> {
            try {
                while (true) {
                    serve(listener.accept(), () -> {});
                }
            } catch (IOException e) {
                Storm.print("WRONG accept " + e);
            }
        });
    }

    /** Opens a connection, and another one when that has come to its end. */
    private void connect(InetSocketAddress server) {
        try {
            serve(SocketChannel.open(server), () -> Threads.daemon("test", () -> connectAgain(server)));
        } catch (IOException e) {
            Storm.print("WRONG connect " + e);
        }
    }

    private void connectAgain(InetSocketAddress server) {
        if (!storm.isOver()) {
            connect(server);
        } else if (storm.open() == 0) {
            Storm.print("OVER " + storm.stats());
        }
    }

    private void serve(SocketChannel channel, Runnable atEnd) {
        SplittableRandom random = storm.random();
        int kind = random.nextInt(loops.size() + 1);
        if (kind < loops.size()) {
            loops.get(kind).add(channel, atEnd);
        } else {
            ThreadedConnection.start(storm, channel, random, atEnd);
        }
    }
}
