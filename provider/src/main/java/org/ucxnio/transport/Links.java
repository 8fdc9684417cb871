package org.ucxnio.transport;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.ucxnio.counters.Log;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxWorker;

/** The links of a worker, one to each worker of a peer that it sends to. Guarded by the worker's lock. */
final class Links {
    private static final int MAX_IDLE = 8;

    /**
     * More than UCX sends within its queue. It opens the memory for longer messages at the first one, as {@code /proc/PID/fd/N}; once the
     * peer has closed its worker that may be other, smaller memory, and writing there ends the process (seen as SIGBUS). So the first one
     * is sent as soon as the peer is known to be there.
     */
    private static final int ATTACH_BYTES = 512;

    private final WorkerCore worker;
    private final UcxWorker ucx;
    private final boolean onOneHost;
    private final Map<Link.Key, Link> links = new HashMap<>();
    private final List<Link> toClose = new ArrayList<>(1);

    /** Links that no connection takes any more, and that are closed once they are answered. */
    private final List<Link> leaving = new ArrayList<>(1);

    private int asking;
    private boolean closing;

    Links(WorkerCore worker, UcxWorker ucx, boolean onOneHost) {
        this.worker = worker;
        this.ucx = ucx;
        this.onOneHost = onOneHost;
    }

    Collection<Link> all() {
        return links.values();
    }

    /** The link to a peer's worker, opened where there is none; followed by {@link #release}. */
    Link acquire(byte[] remoteAddress) throws IOException {
        Link.Key key = new Link.Key(remoteAddress);
        Link link = links.get(key);
        if (link == null) {
            link = new Link(remoteAddress);
            // Between hosts an address is one of the network, which is not used again so soon.
            link.confirmed = !onOneHost;
            link.open(ucx.connect(remoteAddress));
            links.put(key, link);
        }
        link.references++;
        return link;
    }

    /** The link is known to lead to the peer's worker. */
    void confirm(Link link) {
        if (!link.confirmed) {
            link.confirmed = true;
            sendZeros(link, ATTACH_BYTES);
        }
    }

    /**
     * A link stays open for the next connection, unless it is broken. A peer whose workers come and go must not leave a link behind for
     * each: beyond a few, unused ones are closed at once, and the others when they have been idle for a while.
     *
     * <p>An endpoint is closed only once it is answered, or UCX has given it up. Closed before, it would be another endpoint that answers
     * what the peer may have asked at the same time, by another number; a libucx that checks such things ends the peer's process.
     *
     * @param broken whether no other connection is to take the link
     * @param quiet whether no send is pending; on one host what is not pending has arrived
     */
    void release(Link link, boolean broken, boolean quiet) {
        link.references--;
        if (link.references == 0 && (broken || link.failed)) {
            links.remove(new Link.Key(link.remoteAddress), link);
            if (!link.asking || link.failed) {
                closeWhenOutside(link);
            } else {
                leaving.add(link);
            }
        } else if (link.references == 0 && links.size() > MAX_IDLE && onOneHost && quiet) {
            closeUnused(link);
        }
    }

    private void closeUnused(Link latest) {
        for (Iterator<Link> all = links.values().iterator(); all.hasNext(); ) {
            Link link = all.next();
            if (link.references == 0 && link != latest) {
                all.remove();
                closeWhenOutside(link);
            }
        }
    }

    /** The first message was sent over a link; it is pending until UCX's own request is answered. */
    void begin(Link link, boolean pending) {
        link.begun = true;
        link.asking = pending;
        asking += pending ? 1 : 0;
    }

    /** Whether there are links that are not known to be answered. */
    boolean anyAsking() {
        return asking > 0;
    }

    /** No send is pending: every request of UCX's own is answered. */
    void answered() {
        asking = 0;
        links.values().forEach(link -> link.asking = false);
        leaving.forEach(link -> link.asking = false);
        // This may run inside UCX: they are closed behind the next progress.
        toClose.addAll(leaving);
        leaving.clear();
    }

    /** UCX says that an endpoint is broken; returns its link if connections use it. */
    Link failed(UcxEndpoint endpoint) {
        for (Link link : links.values()) {
            if (link.endpoint() == endpoint) {
                link.failed = true;
                if (link.references > 0) {
                    return link;
                }
                links.values().remove(link);
                closeWhenOutside(link);
                return null;
            }
        }
        for (Link link : leaving) {
            if (link.endpoint() == endpoint) {
                leaving.remove(link);
                closeWhenOutside(link);
                return null;
            }
        }
        return null;
    }

    /** Now and then: closes what is unused, and sends something over what is idle (see Transport). */
    void tidy(boolean quiet) {
        for (Iterator<Link> all = links.values().iterator(); all.hasNext(); ) {
            Link link = all.next();
            if (link.sent == 0 && link.references == 0 && quiet) {
                all.remove();
                closeWhenOutside(link);
            } else if (link.sent == 0 && !link.failed && link.confirmed) {
                sendZeros(link, 0);
            }
            link.sent = 0;
        }
    }

    /** Sends what belongs to no connection; where it cannot be sent, the link is about to fail anyway. */
    private void sendZeros(Link link, int count) {
        try {
            int length = Frame.HEADER_LENGTH + count;
            Slice slice = worker.scratch(length);
            int at = slice.base + slice.write;
            slice.buffer.putInt(at + Frame.CONNECTION_OFFSET, 0);
            slice.buffer.putInt(at + Frame.TYPE_LENGTH_OFFSET, Frame.typeAndLength(Frame.NOP, count));
            slice.buffer.putLong(at + Frame.POSITION_OFFSET, 0);
            slice.buffer.put(at + Frame.PAYLOAD_OFFSET, new byte[count]);
            worker.sendUnowned(link, slice, at, length);
        } catch (IOException e) {
            Log.debug("A message to a peer's worker was not sent: " + e.getMessage());
        }
    }

    /**
     * Closes an endpoint, but never from inside UCX: a failing endpoint completes its sends while it takes itself apart, and one that
     * is closed at that moment is freed under UCX's feet (seen with 1.13.1 as an abort).
     */
    private void closeWhenOutside(Link link) {
        asking -= link.asking ? 1 : 0;
        link.asking = false;
        toClose.add(link);
        if (!worker.isInsideUcx()) {
            closeDue();
        }
    }

    /** With UCX left: closes what was to be closed. */
    void closeDue() {
        if (closing || toClose.isEmpty()) {
            return;
        }
        closing = true;
        while (!toClose.isEmpty()) {
            toClose.remove(toClose.size() - 1).close();
        }
        closing = false;
    }

    /** Before the worker ends, and the endpoints with it. */
    void close() {
        links.values().forEach(link -> link.failed = true);
        links.clear();
        leaving.clear();
        asking = 0;
        toClose.clear();
    }
}
