package org.ucxnio;

import java.util.List;
import org.ucxnio.channel.PlainConnections;
import org.ucxnio.counters.Counter;
import org.ucxnio.session.Pairings;
import org.ucxnio.transport.Transport;
import org.ucxnio.ucx.UcxLibrary;

/** Tells what the provider found and does in this process. Thread-safe. */
public final class UcxNio {
    private UcxNio() {}

    /** Figures for programs. Starts the provider where nothing has used it yet. */
    public static Snapshot snapshot() {
        Engine engine = Engine.instance();
        Transport transport = engine.transport();
        return new Snapshot(
                engine.active(),
                engine.active() ? "" : engine.inactiveReason(),
                Counter.RING_BYTES_SENT.get(),
                Counter.RING_BYTES_RECEIVED.get(),
                transport == null ? 0 : transport.bytesSent(),
                transport == null ? 0 : transport.bytesReceived(),
                Counter.TCP_BYTES_SENT.get(),
                Counter.TCP_BYTES_RECEIVED.get(),
                (int) Counter.RINGS_OPEN.get(),
                (int) Counter.ACCELERATED_OPEN.get(),
                engine.plainConnections().open(),
                transport == null ? List.of() : transport.lanes());
    }

    /** The same for people: UCX, connections, bytes, configuration. */
    public static String report() {
        Engine engine = Engine.instance();
        StringBuilder text = new StringBuilder(1024);
        line(text, "ucxnio", version());
        line(text, "process", ProcessHandle.current().pid() + ", Java " + Runtime.version());
        if (!engine.active()) {
            line(text, "UCX", "off: " + engine.inactiveReason());
            return text.toString();
        }
        sessions(text, engine.pairings());
        ucx(text, engine);
        connections(text, engine);
        bytes(text, engine.transport());
        failures(text);
        configuration(text, engine);
        return text.toString();
    }

    private static void sessions(StringBuilder text, Pairings pairings) {
        if (pairings == null) {
            return;
        }
        String why = pairings.unavailable();
        line(
                text,
                "rings",
                why == null ? pairings.openSessions() + " sessions with processes of this host" : "none: " + why);
        line(text, "  memory", pairings.memoryHeld() + " of " + pairings.memoryLimit() + " bytes (ucxnio.memory)");
        if (pairings.memoryShortage() != null) {
            line(text, "  fewer or smaller than wanted", pairings.memoryShortage());
        }
        if (Counter.RINGS_LEFT.get() > 0) {
            line(
                    text,
                    "  left again",
                    Counter.RINGS_LEFT.get() + " by a writer, for TCP, since start: no memory to grow");
        }
        pairings.listenerProblems().forEach((address, problem) -> line(text, "  " + address, problem));
    }

    private static void ucx(StringBuilder text, Engine engine) {
        Transport transport = engine.transport();
        if (transport == null) {
            line(text, "UCX", "not in use: " + engine.ucxUnavailable());
            line(text, "other hosts", "plain TCP: " + engine.ucxUnavailable());
            return;
        }
        UcxLibrary library = transport.library();
        String network = transport.networkUnavailable();
        line(text, "UCX", library.version() + " from " + library.path());
        line(text, "backend", library.backendName());
        line(text, "transports", String.join(", ", transport.transports()));
        line(text, "other hosts", network == null ? "reached over UCX" : "plain TCP: " + network);
        line(text, "lanes", String.join("; ", transport.lanes()));
    }

    private static void connections(StringBuilder text, Engine engine) {
        long openInRings = Counter.RINGS_OPEN.get();
        long totalInRings = Counter.RINGS_TOTAL.get();
        long openOverUcx = Counter.ACCELERATED_OPEN.get();
        long totalOverUcx = Counter.ACCELERATED_TOTAL.get();
        connections(text, "accelerated", openInRings + openOverUcx, totalInRings + totalOverUcx);
        connections(text, "  in rings", openInRings, totalInRings);
        if (engine.transport() != null) {
            connections(text, "  over UCX", openOverUcx, totalOverUcx);
        }
        PlainConnections plain = engine.plainConnections();
        connections(text, "plain", plain.open(), plain.total());
        if (plain.total() == 0) {
            line(
                    text,
                    "  no connection",
                    "so far; Netty on epoll or io_uring, java.net.Socket and AsynchronousSocketChannel do not come here");
        }
        plain.byReason().forEach((reason, count) -> line(text, "  " + reason, count + " open"));
    }

    private static void connections(StringBuilder text, String name, long open, long total) {
        line(text, name, open + " open, " + total + " since start");
    }

    private static void bytes(StringBuilder text, Transport transport) {
        bytes(text, "bytes in rings", Counter.RING_BYTES_SENT.get(), Counter.RING_BYTES_RECEIVED.get());
        if (transport != null) {
            bytes(text, "bytes over UCX", transport.bytesSent(), transport.bytesReceived());
        }
        bytes(text, "bytes over TCP", Counter.TCP_BYTES_SENT.get(), Counter.TCP_BYTES_RECEIVED.get());
        if (Counter.FILE_BYTES_SENT.get() > 0) {
            line(text, "  of files, copied by the kernel", Counter.FILE_BYTES_SENT.get() + " sent");
        }
    }

    private static void bytes(StringBuilder text, String name, long sent, long received) {
        line(text, name, sent + " sent, " + received + " received");
    }

    private static void failures(StringBuilder text) {
        line(text, "connections reset", Long.toString(Counter.CONNECTIONS_RESET.get()));
    }

    private static void configuration(StringBuilder text, Engine engine) {
        text.append("configuration\n");
        engine.config().asMap().forEach((name, value) -> line(text, "  " + name, String.valueOf(value)));
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format("%-34s %s%n", name, value));
    }

    private static String version() {
        String version = UcxNio.class.getPackage().getImplementationVersion();
        return version == null ? "unpackaged" : version;
    }
}
