package org.ucxnio.bench.child;

import java.util.List;

/**
 * What one JVM's provider says it carried. Byte counts cover the life of the process.
 *
 * @param present whether the provider is there at all
 * @param active whether it can accelerate connections
 * @param inactiveReason why it cannot, or empty
 * @param ringSent bytes sent through rings in shared memory
 * @param ringReceived bytes received through rings
 * @param ucxSent bytes sent over UCX
 * @param ucxReceived bytes received over UCX
 * @param tcpSent bytes sent through the kernel's TCP
 * @param tcpReceived bytes received through the kernel's TCP
 * @param inRings open connections that have moved to rings
 * @param overUcx open connections over UCX
 * @param plain open connections that are TCP
 * @param lanes the transports UCX uses
 */
public record Carried(
        boolean present,
        boolean active,
        String inactiveReason,
        long ringSent,
        long ringReceived,
        long ucxSent,
        long ucxReceived,
        long tcpSent,
        long tcpReceived,
        int inRings,
        int overUcx,
        int plain,
        List<String> lanes) {

    private static final String FIELD = "\t";
    private static final String LANE = "|";
    private static final int FIELDS = 13;

    /** A JVM without the provider. */
    public static final Carried ABSENT = new Carried(false, false, "", 0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());

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
                Long.toString(ringSent),
                Long.toString(ringReceived),
                Long.toString(ucxSent),
                Long.toString(ucxReceived),
                Long.toString(tcpSent),
                Long.toString(tcpReceived),
                Integer.toString(inRings),
                Integer.toString(overUcx),
                Integer.toString(plain),
                clean(String.join(LANE, lanes)));
    }

    /** The inverse of {@link #encode}. */
    public static Carried decode(String line) {
        String[] f = line.split(FIELD, -1);
        if (f.length != FIELDS) {
            throw new IllegalArgumentException("not a line of " + FIELDS + " fields: " + line);
        }
        List<String> lanes = f[12].isBlank() ? List.of() : List.of(f[12].strip().split("\\" + LANE));
        return new Carried(
                Boolean.parseBoolean(f[0]),
                Boolean.parseBoolean(f[1]),
                f[2],
                Long.parseLong(f[3]),
                Long.parseLong(f[4]),
                Long.parseLong(f[5]),
                Long.parseLong(f[6]),
                Long.parseLong(f[7]),
                Long.parseLong(f[8]),
                Integer.parseInt(f[9]),
                Integer.parseInt(f[10]),
                Integer.parseInt(f[11]),
                lanes);
    }

    /** The same with other transports. */
    public Carried withLanes(List<String> others) {
        return new Carried(
                present,
                active,
                inactiveReason,
                ringSent,
                ringReceived,
                ucxSent,
                ucxReceived,
                tcpSent,
                tcpReceived,
                inRings,
                overUcx,
                plain,
                others);
    }

    /** The same with the bytes since {@code earlier} only. */
    public Carried since(Carried earlier) {
        return new Carried(
                present,
                active,
                inactiveReason,
                ringSent - earlier.ringSent,
                ringReceived - earlier.ringReceived,
                ucxSent - earlier.ucxSent,
                ucxReceived - earlier.ucxReceived,
                tcpSent - earlier.tcpSent,
                tcpReceived - earlier.tcpReceived,
                inRings,
                overUcx,
                plain,
                lanes);
    }

    /** All bytes that went through rings, both ways. */
    public long ringTotal() {
        return ringSent + ringReceived;
    }

    /** All bytes that went over UCX, both ways. */
    public long ucxTotal() {
        return ucxSent + ucxReceived;
    }

    /** All bytes that went over TCP, both ways. */
    public long tcpTotal() {
        return tcpSent + tcpReceived;
    }

    /** What carried most of the bytes; TCP where there were none. */
    public Carrier carrier() {
        if (ringTotal() > Math.max(ucxTotal(), tcpTotal())) {
            return Carrier.RING;
        }
        return ucxTotal() > tcpTotal() ? Carrier.UCX : Carrier.TCP;
    }

    /** What carried most of the bytes, in words; with the transports where that is UCX. */
    public String carriedBy() {
        Carrier carrier = carrier();
        return carrier == Carrier.UCX && !lanes.isEmpty()
                ? carrier.label() + " (" + String.join(" ", lanes) + ')'
                : carrier.label();
    }

    /** A complaint about bytes that went another way than TCP, or empty. */
    public String besidesTcp() {
        return ringTotal() + ucxTotal() == 0
                ? ""
                : "meant to be plain TCP, but %d bytes went through rings and %d over UCX"
                        .formatted(ringTotal(), ucxTotal());
    }

    private static String clean(String text) {
        return text.replaceAll("[\\t\\r\\n]", " ");
    }
}
