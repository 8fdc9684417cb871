package org.ucxnio.transport;

import java.io.IOException;

/**
 * Where a connection sends: the link to the worker that its peer named, and its id there. Guarded by the worker's lock.
 *
 * <p>A link that was just opened is not used yet. UCX opens the peer's shared memory as a file by its number in the peer's process,
 * whatever has that number by now; a worker that was closed may have been followed by another. But a peer closes its worker only behind
 * its last word on the control connection. So the control connection is read to its end first, and when nothing of the kind was there,
 * the link leads to the right place, and goes on doing so whatever the peer does.
 */
final class WayToPeer {
    private static final long FIRST_RETRY_NANOS = 2_000_000;

    private final Connection connection;
    private final Transport transport;
    private final ControlPort control;

    private Link link;
    private int remoteId;

    WayToPeer(Connection connection, Transport transport, ControlPort control) {
        this.connection = connection;
        this.transport = transport;
        this.control = control;
    }

    /** The link, or null while there is none to be used. */
    Link link() {
        return link;
    }

    int remoteId() {
        return remoteId;
    }

    boolean isOpen() {
        return link != null && !link.failed;
    }

    /** The peer says where it receives. */
    void open(byte[] workerAddress, int connectionId) {
        open(workerAddress, connectionId, 0);
    }

    /**
     * Where it cannot be opened the connection does not break: a peer that wrote and closed may be gone already, and what it sent is to be
     * read to its end. While the peer is there it is tried again, and given up with the drain time.
     */
    private void open(byte[] workerAddress, int connectionId, long waitedNanos) {
        if (!isWanted()) {
            return;
        }
        Link opened;
        try {
            opened = connection.worker().link(workerAddress);
        } catch (IOException e) {
            openLater(workerAddress, connectionId, waitedNanos, e);
            return;
        }
        if (opened.confirmed) {
            use(opened, connectionId);
        } else {
            control.confirm(() -> connection.onControl(() -> confirmed(opened, connectionId)));
        }
    }

    private boolean isWanted() {
        return link == null && connection.wantsWay();
    }

    private void openLater(byte[] workerAddress, int connectionId, long waitedNanos, IOException cause) {
        if (waitedNanos >= transport.config().drainNanos()) {
            connection.onWayClosed(cause);
            return;
        }
        long delay = Math.max(FIRST_RETRY_NANOS, waitedNanos);
        transport
                .poller()
                .schedule(
                        delay,
                        () -> connection.onControl(() -> open(workerAddress, connectionId, waitedNanos + delay)));
    }

    private void confirmed(Link opened, int connectionId) {
        if (isWanted()) {
            connection.worker().confirmed(opened);
            use(opened, connectionId);
        } else {
            connection.worker().releaseLink(opened, !opened.confirmed);
        }
    }

    private void use(Link opened, int connectionId) {
        link = opened;
        remoteId = connectionId;
        connection.onWayOpen();
    }

    /** Lets go of the link. */
    void close(boolean broken) {
        if (link != null) {
            connection.worker().releaseLink(link, broken);
            link = null;
        }
    }
}
