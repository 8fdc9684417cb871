package org.ucxnio.bench.child;

import java.util.List;

/**
 * What one JVM's provider says it carried. Byte counts cover the life of the process.
 *
 * @param present whether the provider is there at all
 * @param active whether it uses UCX
 * @param inactiveReason why it does not, or empty
 * @param ucxSent bytes sent through UCX
 * @param ucxReceived bytes received through UCX
 * @param tcpSent bytes sent through the kernel's TCP
 * @param tcpReceived bytes received through the kernel's TCP
 * @param accelerated open connections that use UCX
 * @param plain open connections that do not
 * @param lanes the transports UCX uses
 */
public record Carried(
        boolean present,
        boolean active,
        String inactiveReason,
        long ucxSent,
        long ucxReceived,
        long tcpSent,
        long tcpReceived,
        int accelerated,
        int plain,
        List<String> lanes) {

    private static final String FIELD = "\t";
    private static final String LANE = "|";

    /** A JVM without the provider. */
    public static final Carried ABSENT = new Carried(false, false, "", 0, 0, 0, 0, 0, 0, List.of());

    public Carried {
        lanes = List.copyOf(lanes);
    }

    /** One line that {@link #decode} reads. */
    public String encode() {
        return String.join(
                FIELD,
                Boolean.toString(present),
                Boolean.toString(active),
                clean(inactiveReason),
                Long.toString(ucxSent),
                Long.toString(ucxReceived),
                Long.toString(tcpSent),
                Long.toString(tcpReceived),
                Integer.toString(accelerated),
                Integer.toString(plain),
                clean(String.join(LANE, lanes)));
    }

    /** The inverse of {@link #encode}. */
    public static Carried decode(String line) {
        String[] f = line.split(FIELD, -1);
        if (f.length != 10) {
            throw new IllegalArgumentException("not a line of ten fields: " + line);
        }
        List<String> lanes = f[9].isBlank() ? List.of() : List.of(f[9].strip().split("\\" + LANE));
        return new Carried(
                Boolean.parseBoolean(f[0]),
                Boolean.parseBoolean(f[1]),
                f[2],
                Long.parseLong(f[3]),
                Long.parseLong(f[4]),
                Long.parseLong(f[5]),
                Long.parseLong(f[6]),
                Integer.parseInt(f[7]),
                Integer.parseInt(f[8]),
                lanes);
    }

    /** The same with other transports. */
    public Carried withLanes(List<String> others) {
        return new Carried(
                present,
                active,
                inactiveReason,
                ucxSent,
                ucxReceived,
                tcpSent,
                tcpReceived,
                accelerated,
                plain,
                others);
    }

    /** All bytes that went through UCX, both ways. */
    public long ucxTotal() {
        return ucxSent + ucxReceived;
    }

    private static String clean(String text) {
        return text.replaceAll("[\\t\\r\\n]", " ");
    }
}
