package org.ucxnio.it.harness;

import java.nio.channels.spi.SelectorProvider;
import java.util.List;

/**
 * What the provider of this JVM says it did, in one line that travels between JVMs.
 *
 * @param active whether our provider is in use
 * @param inactiveReason why not
 * @param ringSent bytes written through rings
 * @param ringReceived bytes read through rings
 * @param ucxSent bytes written through UCX
 * @param ucxReceived bytes read through UCX
 * @param tcpSent bytes written through kernel TCP
 * @param tcpReceived bytes read through kernel TCP
 * @param rings open connections that have moved to rings
 * @param accelerated open connections over UCX
 * @param plain open connections over kernel TCP
 * @param lanes UCX transports in use
 */
public record Traffic(
        boolean active,
        String inactiveReason,
        long ringSent,
        long ringReceived,
        long ucxSent,
        long ucxReceived,
        long tcpSent,
        long tcpReceived,
        int rings,
        int accelerated,
        int plain,
        List<String> lanes) {
    /** What a child's line starts with. */
    public static final String PREFIX = "TRAFFIC ";

    /** Asks the provider; on the JDK's provider everything is zero. */
    public static Traffic ofThisJvm() {
        boolean ours = SelectorProvider.provider().getClass().getName().startsWith("org.ucxnio.");
        return ours ? ofOurs() : new Traffic(false, "JDK", 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());
    }

    /** Asks our provider, be it the default or not. */
    public static Traffic ofOurs() {
        org.ucxnio.Snapshot now = org.ucxnio.UcxNio.snapshot();
        return new Traffic(
                now.active(),
                now.inactiveReason(),
                now.ringBytesSent(),
                now.ringBytesReceived(),
                now.ucxBytesSent(),
                now.ucxBytesReceived(),
                now.tcpBytesSent(),
                now.tcpBytesReceived(),
                now.ringConnections(),
                now.acceleratedConnections(),
                now.plainConnections(),
                now.lanes());
    }

    /** Bytes written through rings or UCX. */
    public long fastSent() {
        return ringSent + ucxSent;
    }

    /** Bytes read through rings or UCX. */
    public long fastReceived() {
        return ringReceived + ucxReceived;
    }

    public long sent() {
        return fastSent() + tcpSent;
    }

    public long received() {
        return fastReceived() + tcpReceived;
    }

    public String toLine() {
        return PREFIX
                + String.join(
                        "\t",
                        Boolean.toString(active),
                        String.valueOf(inactiveReason).replace('\t', ' ').replace('\n', ' '),
                        Long.toString(ringSent),
                        Long.toString(ringReceived),
                        Long.toString(ucxSent),
                        Long.toString(ucxReceived),
                        Long.toString(tcpSent),
                        Long.toString(tcpReceived),
                        Integer.toString(rings),
                        Integer.toString(accelerated),
                        Integer.toString(plain),
                        String.join(",", lanes));
    }

    public static Traffic parse(String line) {
        String[] fields = line.substring(PREFIX.length()).split("\t", -1);
        return new Traffic(
                Boolean.parseBoolean(fields[0]),
                fields[1],
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                Long.parseLong(fields[4]),
                Long.parseLong(fields[5]),
                Long.parseLong(fields[6]),
                Long.parseLong(fields[7]),
                Integer.parseInt(fields[8]),
                Integer.parseInt(fields[9]),
                Integer.parseInt(fields[10]),
                fields[11].isEmpty() ? List.of() : List.of(fields[11].split(",")));
    }
}
