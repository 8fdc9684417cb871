package org.ucxnio;

import java.util.List;
import java.util.Map;
import org.ucxnio.counters.Counter;
import org.ucxnio.transport.Transport;

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
                transport == null ? 0 : transport.bytesSent(),
                transport == null ? 0 : transport.bytesReceived(),
                Counter.TCP_BYTES_SENT.get(),
                Counter.TCP_BYTES_RECEIVED.get(),
                (int) Counter.ACCELERATED_OPEN.get(),
                (int) Counter.PLAIN_OPEN.get(),
                transport == null ? List.of() : transport.lanes());
    }

    /** The same for people: backend, library, transports, connections, bytes. */
    public static String report() {
        Engine engine = Engine.instance();
        StringBuilder text = new StringBuilder(1024);
        line(text, "ucxnio", version());
        line(text, "process", ProcessHandle.current().pid() + ", Java " + Runtime.version());
        if (!engine.active()) {
            line(text, "UCX", "off: " + engine.inactiveReason());
            return text.toString();
        }
        Transport transport = engine.transport();
        line(
                text,
                "UCX",
                transport.library().version() + " from " + transport.library().path());
        line(text, "backend", transport.library().backendName());
        line(text, "transports", String.join(", ", transport.transports()));
        String network = transport.networkUnavailable();
        String rings = transport.ringsUnavailable();
        if (rings != null) {
            line(text, "rings", "fewer or smaller than wanted: " + rings);
        }
        line(text, "other hosts", network == null ? "reached over UCX" : "plain TCP: " + network);
        connections(text, engine, transport);
        configuration(text, engine);
        return text.toString();
    }

    private static void connections(StringBuilder text, Engine engine, Transport transport) {
        line(
                text,
                "accelerated",
                Counter.ACCELERATED_OPEN.get() + " open, " + Counter.ACCELERATED_TOTAL.get() + " since start");
        line(text, "lanes", String.join("; ", transport.lanes()));
        line(text, "plain", Counter.PLAIN_OPEN.get() + " open, " + Counter.PLAIN_TOTAL.get() + " since start");
        for (Map.Entry<String, Integer> reason :
                engine.plainConnections().byReason().entrySet()) {
            line(text, "  " + reason.getKey(), reason.getValue() + " open");
        }
        line(text, "bytes over UCX", transport.bytesSent() + " sent, " + transport.bytesReceived() + " received");
        line(
                text,
                "bytes over TCP",
                Counter.TCP_BYTES_SENT.get() + " sent, " + Counter.TCP_BYTES_RECEIVED.get() + " received");
        line(
                text,
                "bytes over control",
                Counter.CONTROL_BYTES_SENT.get() + " sent before the peer could be reached over UCX");
        line(text, "connections reset", Long.toString(Counter.CONNECTIONS_RESET.get()));
        line(text, "handshakes refused", Long.toString(Counter.HANDSHAKES_REFUSED.get()));
        engine.connector().refusals().forEach((reason, count) -> line(text, "  " + reason, Integer.toString(count)));
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
