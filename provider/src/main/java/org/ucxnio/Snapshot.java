package org.ucxnio;

import java.util.List;

/**
 * What the provider does in this process, at one moment.
 *
 * @param active whether connections can be accelerated
 * @param inactiveReason why not, or empty
 * @param ringBytesSent bytes applications wrote to rings since start
 * @param ringBytesReceived bytes applications read from rings since start
 * @param ucxBytesSent bytes applications wrote to connections over UCX since start
 * @param ucxBytesReceived bytes that arrived over UCX since start
 * @param tcpBytesSent bytes applications wrote to TCP since start
 * @param tcpBytesReceived bytes applications read from TCP since start
 * @param ringConnections connections with at least one direction in a ring, open now
 * @param acceleratedConnections connections over UCX open now
 * @param plainConnections plain connections open now
 * @param lanes UCX transports in use now, such as {@code posix/memory}
 */
public record Snapshot(
        boolean active,
        String inactiveReason,
        long ringBytesSent,
        long ringBytesReceived,
        long ucxBytesSent,
        long ucxBytesReceived,
        long tcpBytesSent,
        long tcpBytesReceived,
        int ringConnections,
        int acceleratedConnections,
        int plainConnections,
        List<String> lanes) {
    public Snapshot {
        lanes = List.copyOf(lanes);
    }
}
