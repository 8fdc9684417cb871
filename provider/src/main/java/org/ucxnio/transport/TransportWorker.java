package org.ucxnio.transport;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.ucxnio.counters.Log;
import org.ucxnio.link.Driver;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxEndpoint;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxMessage;
import org.ucxnio.ucx.UcxWorker;
import org.ucxnio.ucx.UcxWorkerListener;

/**
 * A UCP worker with the connections bound to it, its links and its slices. Its lock serialises every use of the UCP worker and
 * guards the state of its connections; whoever holds it may progress the worker, and any thread's progress makes any
 * connection ready. On one host a worker serves one peer process, because a sender killed in the middle of a message jams the
 * worker it was writing to.
 */
public final class TransportWorker extends WorkerCore implements Driver {
    /** What a worker serves: the process named, or every peer of the network when none is. */
    record Key(UUID processId) {
        boolean ownWorker() {
            return processId != null;
        }
    }

    /** Who has made the worker. */
    abstract static class Owner {
        /** A connection is not bound to it any more. */
        abstract void release(TransportWorker worker);

        /** Its peer is gone: takes it out of use. */
        abstract void retire(TransportWorker worker);

        /** It is closed. */
        abstract void ended(TransportWorker worker);
    }

    private final Owner owner;
    private final Key key;
    private final Poller poller;
    private final UcxWorker ucx;
    private final byte[] address;
    private final WorkerEvents events;

    // -- guarded by lock --
    private final SlicePool slices;
    private final ConnectionTable connections = new ConnectionTable();
    private final Links links;
    private final ArrayList<BoundConnection> afterProgress = new ArrayList<>();

    private Slice scratch;
    private int pendingSends;
    private int failedConnections;
    private boolean progressing;
    private long bytesSent;
    private long bytesReceived;
    private boolean poolClosed;
    private boolean retired;
    private boolean watchedWhileUnused;
    private final Ticking ticking;
    // -- end --

    private long progressCount;

    private volatile boolean closed;

    TransportWorker(Owner owner, Key key, UcxContext context, Poller poller) throws IOException {
        this.owner = owner;
        this.key = key;
        this.poller = poller;
        this.slices = new SlicePool(context);
        this.ticking = new Ticking(this, poller);
        this.ucx = context.createWorker(new Callbacks());
        this.links = new Links(this, ucx, key.ownWorker());
        this.address = ucx.address();
        this.events = new WorkerEvents(this, ucx, poller);
    }

    // -- progress ----------------------------------------------------------------------------------------------------

    /** Progresses unless another thread is at it. Returns whether anything happened. */
    public boolean progressIfFree() {
        if (!tryLock()) {
            return true;
        }
        try {
            return progress();
        } finally {
            unlock();
        }
    }

    @Override
    boolean progress() {
        if (closed || progressing) {
            return false;
        }
        progressing = true;
        try {
            progressCount++;
            boolean moved = ucx.progress() != 0;
            if (!afterProgress.isEmpty()) {
                workAfterProgress();
            }
            return moved;
        } finally {
            progressing = false;
            links.closeDue();
        }
    }

    @Override
    boolean isInsideUcx() {
        return progressing;
    }

    private void workAfterProgress() {
        for (int i = 0; i < afterProgress.size(); i++) {
            workAfterProgress(afterProgress.get(i));
        }
        afterProgress.clear();
    }

    private static void workAfterProgress(BoundConnection connection) {
        try {
            connection.afterProgress();
        } catch (RuntimeException | Error e) {
            connection.broke(e);
        }
    }

    /** Has {@link BoundConnection#afterProgress} called once UCX is left, where sending keeps the order. */
    void afterProgress(BoundConnection connection) {
        if (connection.markForAfterProgress()) {
            afterProgress.add(connection);
        }
    }

    @Override
    long progressCount() {
        return progressCount;
    }

    // -- connections and links ---------------------------------------------------------------------------------------

    int register(BoundConnection connection) {
        if (watchedWhileUnused) {
            watchedWhileUnused = false;
            events.waiterDone();
        }
        return connections.add(connection);
    }

    void unregister(BoundConnection connection) {
        if (connection.isCountedAsFailed()) {
            failedConnections--;
        }
        connections.remove(connection.localId());
        freePoolIfUnused();
        owner.release(this);
        if (connections.size() == 0 && key.ownWorker()) {
            poller.execute(this::watchWhileUnused);
        }
    }

    /** A worker of the peer's is closed only once this one has answered it. */
    private void watchWhileUnused() {
        lock();
        try {
            if (!closed && !watchedWhileUnused && connections.size() == 0) {
                watchedWhileUnused = true;
                events.watchForWaiterOrAttend();
            }
        } finally {
            unlock();
        }
    }

    /**
     * A connection broke. Once no connection of a peer's own worker works any more the peer is gone, and with it the worker:
     * what a killed sender left half-written would keep the worker busy for ever.
     */
    void connectionFailed() {
        failedConnections++;
        if (key.ownWorker() && failedConnections == connections.size()) {
            poller.execute(this::retireIfAllFailed);
        }
    }

    private void retireIfAllFailed() {
        lock();
        try {
            if (!retired && failedConnections > 0 && failedConnections == connections.size()) {
                retired = true;
                owner.retire(this);
            }
        } finally {
            unlock();
        }
    }

    /** The link to a peer's worker, opened where there is none; followed by {@link #releaseLink}. */
    Link link(byte[] remoteAddress) throws IOException {
        if (closed) {
            throw new IOException("Connection reset");
        }
        return links.acquire(remoteAddress);
    }

    void releaseLink(Link link, boolean broken) {
        links.release(link, broken, pendingSends == 0);
    }

    /** The link is known to lead to the peer's worker. */
    void confirmed(Link link) {
        links.confirm(link);
    }

    // -- sending -----------------------------------------------------------------------------------------------------

    @Override
    Slice scratch(int length) throws IOException {
        Slice slice = scratch;
        if (slice != null && slice.space() < length && slice.pending > 0) {
            slice.detached = true;
            slice = null;
        }
        if (slice == null) {
            slice = slices.take(SlicePool.LARGE_BYTES);
            scratch = slice;
        } else if (slice.pending == 0) {
            slice.write = 0;
        }
        return slice;
    }

    int send(Link link, int connectionId, Slice slice, int at, int length) {
        long token = (long) slice.id << 32 | connectionId & 0xffff_ffffL;
        int status = link.endpoint().send(slice.memory, at, length, token);
        link.sent++;
        if (!link.begun) {
            links.begin(link, status == UcsStatus.INPROGRESS);
        }
        if (!key.ownWorker()) {
            ticking.sent();
        }
        if (status == UcsStatus.INPROGRESS) {
            slice.pending++;
            pendingSends++;
        }
        return status;
    }

    @Override
    void sendUnowned(Link link, Slice slice, int at, int length) throws IOException {
        int status = send(link, 0, slice, at, length);
        if (status == UcsStatus.INPROGRESS) {
            slice.write += length + 7 & ~7;
            events.attendIfPending();
        } else if (status != UcsStatus.OK) {
            throw new UcxException("send", status);
        }
    }

    /** What is due now and then: keeps idle links alive (see Transport), closes unused ones, frees memory that is not needed. */
    void tidy() {
        lock();
        try {
            if (!closed) {
                links.tidy(pendingSends == 0);
            }
            drain();
            slices.trim();
        } finally {
            unlock();
        }
    }

    void countSent(long bytes) {
        bytesSent += bytes;
    }

    void countReceived(long bytes) {
        bytesReceived += bytes;
    }

    // -- end ---------------------------------------------------------------------------------------------------------

    /**
     * At the exit of the JVM: whether everything is with the peers. What UCX has sent on one host is in their memory; over a network it
     * may be in a buffer of UCX's, or on its way from memory of this process.
     */
    boolean flushForExit() {
        lock();
        try {
            progress();
            return closed || pendingSends == 0 && (key.ownWorker() || ucx.flush());
        } finally {
            unlock();
        }
    }

    /** With the lock held or before the worker is shared. */
    void closeUcx() {
        if (closed) {
            return;
        }
        closed = true;
        events.close();
        links.close();
        ucx.close();
        owner.ended(this);
        freePoolIfUnused();
    }

    /** {@inheritDoc} Nothing is known of its state any more: breaks its connections and closes it. */
    @Override
    void abandon(Throwable cause) {
        Log.error("A UCX worker is given up", cause);
        lock();
        try {
            for (BoundConnection connection : connections.snapshot()) {
                connection.fail(cause.toString());
            }
            retired = true;
            owner.retire(this);
            closeUcx();
        } finally {
            unlock();
        }
    }

    /** Whether the peer has answered whatever UCX has asked it for us. */
    boolean hasSettled() {
        lock();
        try {
            drain();
            return closed || !links.anyAsking();
        } finally {
            unlock();
        }
    }

    /** No connection is bound any more: closes the worker and frees its memory. */
    void dispose() {
        lock();
        try {
            closeUcx();
            freePoolIfUnused();
        } finally {
            unlock();
        }
    }

    private void freePoolIfUnused() {
        if (closed && connections.size() == 0 && !poolClosed) {
            poolClosed = true;
            scratch = null;
            slices.close();
        }
    }

    // -- looks -------------------------------------------------------------------------------------------------------

    @Override
    boolean isClosed() {
        return closed;
    }

    /** With the lock held: whether another connection may be bound to it. */
    boolean takesConnections() {
        return !closed && !retired;
    }

    /** For threads that sleep until something comes. */
    public WorkerEvents events() {
        return events;
    }

    SlicePool slices() {
        return slices;
    }

    byte[] address() {
        return address;
    }

    @Override
    boolean hasPendingSends() {
        return pendingSends > 0;
    }

    Key key() {
        return key;
    }

    /** A racy look, good enough for a report. */
    long bytesSent() {
        return bytesSent;
    }

    long bytesReceived() {
        return bytesReceived;
    }

    /** The lanes of its links, for the report. */
    List<String> lanes() {
        lock();
        try {
            List<String> lanes = new ArrayList<>();
            for (Link link : links.all()) {
                if (!link.failed) {
                    lanes.add(link.endpoint().lanes());
                }
            }
            return lanes;
        } finally {
            unlock();
        }
    }

    /** What UCX tells; runs inside progress and send, with the lock held. */
    private final class Callbacks implements UcxWorkerListener {
        @Override
        public void onMessage(UcxMessage message) {
            if (message.length() < Frame.HEADER_LENGTH) {
                return;
            }
            int typeAndLength = message.getInt(Frame.TYPE_LENGTH_OFFSET);
            BoundConnection connection = connections.get(message.getInt(Frame.CONNECTION_OFFSET));
            if (connection != null) {
                onMessage(connection, message, typeAndLength);
            }
        }

        private static void onMessage(BoundConnection connection, UcxMessage message, int typeAndLength) {
            try {
                connection.onMessage(message, typeAndLength);
            } catch (RuntimeException | Error e) {
                connection.broke(e);
            }
        }

        @Override
        public void onSendCompleted(long token, int status) {
            pendingSends--;
            if (closed) {
                return;
            }
            if (pendingSends == 0 && links.anyAsking()) {
                links.answered();
            }
            Slice slice = slices.byId((int) (token >>> 32));
            slice.pending--;
            if (slice.detached && slice.pending == 0) {
                slices.give(slice);
            }
            BoundConnection connection = connections.get((int) token);
            if (connection != null) {
                connection.onSendCompleted(status);
            }
        }

        @Override
        public void onEndpointFailed(UcxEndpoint endpoint, int status) {
            Link broken = links.failed(endpoint);
            if (broken == null) {
                return;
            }
            for (BoundConnection connection : connections.snapshot()) {
                connection.onLinkFailed(broken, status);
            }
        }
    }
}
