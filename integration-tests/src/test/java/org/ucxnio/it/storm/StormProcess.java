package org.ucxnio.it.storm;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Traffic;

/** A test's handle on a {@link StormMain}. Thread-safe. */
final class StormProcess implements AutoCloseable {
    private final ChildJvm jvm;
    private final Queue<String> complaints = new ConcurrentLinkedQueue<>();

    private StormProcess(ChildJvm jvm) {
        this.jvm = jvm;
        jvm.onLine(line -> {
            if (line.startsWith("BROKEN ") || line.startsWith("WRONG ")) {
                complaints.add(line);
            }
        });
    }

    static StormProcess server(Flavour flavour, int port, long seed, long seconds) throws IOException {
        return start(flavour, "server", port, 0, seed, seconds);
    }

    /** One that has not begun yet, see {@link #go}. */
    static StormProcess client(Flavour flavour, int port, int name, long seed, long seconds, int connections)
            throws IOException {
        return start(flavour, "client", port, name, seed, seconds, connections);
    }

    private static StormProcess start(Flavour flavour, Object... arguments) throws IOException {
        ChildJvm jvm = JvmBuilder.of(flavour, StormMain.class)
                .name(arguments[0] + "-" + arguments[2])
                .flags("-Xmx512m")
                .arguments(arguments)
                .start();
        StormProcess process = new StormProcess(jvm);
        jvm.expect("READY");
        return process;
    }

    ChildJvm jvm() {
        return jvm;
    }

    void go() {
        jvm.send("go");
    }

    /** Waits until every connection of a client has come to its end; returns its last {@link #stats}. */
    String awaitOver(Duration timeout) {
        return jvm.expect("OVER ", timeout);
    }

    /** Connections that came to their end, bytes that came in, connections open. */
    String stats() {
        return jvm.ask("stats", "STATS ");
    }

    long received() {
        return Long.parseLong(stats().split(" ")[1]);
    }

    /** Has the garbage collector come, which unmaps the memory of sessions that are over. */
    void collect() {
        jvm.ask("collect", "COLLECTED");
    }

    Traffic traffic() {
        return Traffic.parse(Traffic.PREFIX + jvm.ask("traffic", Traffic.PREFIX));
    }

    /** Connections that broke, with the number of who was at the other end, and what should never be. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** It lives, and has not printed an exception. */
    void expectHealthy() {
        boolean healthy = jvm.isAlive()
                && jvm.crashReport().isEmpty()
                && jvm.errorLines().stream().noneMatch(line -> line.contains("Exception"));
        if (!healthy) {
            throw new AssertionError(jvm.evidence());
        }
    }

    @Override
    public void close() {
        jvm.close();
    }
}
