package org.ucxnio;

import java.util.List;

/**
 * What the provider does in this process, at one moment.
 *
 * @param active whether UCX is in use
 * @param inactiveReason why not, or empty
 * @param ucxBytesSent bytes applications wrote to accelerated connections since start
 * @param ucxBytesReceived bytes that arrived over UCX since start
 * @param tcpBytesSent bytes applications wrote to plain connections since start
 * @param tcpBytesReceived bytes applications read from plain connections since start
 * @param acceleratedConnections accelerated connections open now
 * @param plainConnections plain connections open now
 * @param lanes UCX transports in use now, such as {@code posix/memory}
 */
public record Snapshot(
        boolean active,
        String inactiveReason,
        long ucxBytesSent,
        long ucxBytesReceived,
        long tcpBytesSent,
        long tcpBytesReceived,
        int acceleratedConnections,
        int plainConnections,
        List<String> lanes) {
    public Snapshot {
        lanes = List.copyOf(lanes);
    }
}
