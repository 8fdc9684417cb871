package org.ucxnio.transport;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
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
public final class TransportWorker implements Driver {
    /** How long a thread sleeps where the worker says it is busy but makes no progress. */
    public static final long BUSY_WAIT_NANOS = 1_000_000;

    /** Tries of a thread that finds the lock taken before it sleeps: whoever spins for bytes lets go of it again and again. */
    private static final int LOCK_TRIES = 200;

    private static final int DRAIN_ROUNDS = 100_000;

    private final Transport transport;
    private final WorkerGroup group;
    private final WorkerGroup.Key key;
    private final ReentrantLock lock = new ReentrantLock();
    private final UcxWorker ucx;
    private final byte[] address;
    private final WorkerEvents events;

    // -- guarded by lock --
    private final SlicePool slices;
    private final ConnectionTable connections = new ConnectionTable();
    private final Links links;
    private final ArrayList<Connection> afterProgress = new ArrayList<>();

    /** A parked thread that there is something for; see {@link #unparkBehindLock}. */
    private Thread toUnpark;

    private Slice scratch;
    private int pendingSends;
    private int failedConnections;
    private boolean progressing;
    private long bytesSent;
    private long bytesReceived;
    private boolean poolClosed;
    private boolean retired;
    private final Ticking ticking;
    // -- end --

    private long progressCount;

    private volatile boolean closed;

    TransportWorker(Transport transport, WorkerGroup group, WorkerGroup.Key key, UcxContext context)
            throws IOException {
        this.transport = transport;
        this.group = group;
        this.key = key;
        this.slices = new SlicePool(context);
        this.ticking = new Ticking(this, transport.poller());
        this.ucx = context.createWorker(new Callbacks());
        this.links = new Links(this, ucx, key.ownWorker());
        this.address = ucx.address();
        this.events = new WorkerEvents(this, ucx, transport.poller());
    }

    // -- lock --------------------------------------------------------------------------------------------------------

    void lock() {
        if (!lock.tryLock()) {
            lockTaken();
        }
    }

    boolean tryLock() {
        return lock.tryLock();
    }

    private void lockTaken() {
        for (int i = 0; i < LOCK_TRIES; i++) {
            Thread.onSpinWait();
            if (lock.tryLock()) {
                return;
            }
        }
        lock.lock();
    }

    /** Gives the lock back, and then unparks the thread that {@link #unparkBehindLock} was called for. */
    void unlock() {
        Thread thread = lock.getHoldCount() == 1 ? toUnpark : null;
        if (thread != null) {
            toUnpark = null;
        }
        lock.unlock();
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Unparks a thread once the lock is given back: woken before, the first thing it did was to wait for the lock. */
    void unparkBehindLock(Thread thread) {
        if (toUnpark == null) {
            toUnpark = thread;
        } else if (toUnpark != thread) {
            LockSupport.unpark(thread);
        }
    }

    // -- progress ----------------------------------------------------------------------------------------------------

    /** Progresses unless another thread is at it. Returns whether anything happened. */
    public boolean progressIfFree() {
        if (!lock.tryLock()) {
            return true;
        }
        try {
            return progress();
        } finally {
            unlock();
        }
    }

    /** With the lock held: advances communication once; returns whether anything happened. */
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

    boolean isInsideUcx() {
        return progressing;
    }

    /** With the lock held: progresses until nothing more has arrived. */
    void drain() {
        for (int i = 0; i < DRAIN_ROUNDS && progress(); i++) {
            // each round takes in what a round can
        }
    }

    private void workAfterProgress() {
        for (int i = 0; i < afterProgress.size(); i++) {
            workAfterProgress(afterProgress.get(i));
        }
        afterProgress.clear();
    }

    private static void workAfterProgress(Connection connection) {
        try {
            connection.afterProgress();
        } catch (RuntimeException | Error e) {
            connection.broke(e);
        }
    }

    /** Has {@link Connection#afterProgress} called once UCX is left, where sending keeps the order. */
    void afterProgress(Connection connection) {
        if (connection.markForAfterProgress()) {
            afterProgress.add(connection);
        }
    }

    /** How often the worker was progressed; a racy look is good enough to tell whether somebody does. */
    long progressCount() {
        return progressCount;
    }

    // -- connections and links ---------------------------------------------------------------------------------------

    int register(Connection connection) {
        return connections.add(connection);
    }

    void unregister(Connection connection) {
        if (connection.isCountedAsFailed()) {
            failedConnections--;
        }
        connections.remove(connection.localId());
        freePoolIfUnused();
        group.release(this);
    }

    /**
     * A connection broke. Once no connection of a peer's own worker works any more the peer is gone, and with it the worker:
     * what a killed sender left half-written would keep the worker busy for ever.
     */
    void connectionFailed() {
        failedConnections++;
        if (key.ownWorker() && failedConnections == connections.size()) {
            transport.poller().execute(this::retireIfAllFailed);
        }
    }

    private void retireIfAllFailed() {
        lock();
        try {
            if (!retired && failedConnections > 0 && failedConnections == connections.size()) {
                retired = true;
                group.retire(this);
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

    /** A slice with room for {@code length} bytes at its write position, which moves only past what stays pending. */
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
        if (!key.ownWorker()) {
            ticking.sent();
        }
        if (status == UcsStatus.INPROGRESS) {
            slice.pending++;
            pendingSends++;
        }
        return status;
    }

    /** Sends what is written behind a {@link #scratch} slice and belongs to no connection. */
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
            progress();
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
        transport.retired(this);
        freePoolIfUnused();
    }

    /** The worker threw what is no connection's fault: nothing is known of its state any more. Breaks its connections and closes it. */
    void abandon(Throwable cause) {
        Log.error("A UCX worker is given up", cause);
        lock();
        try {
            for (Connection connection : connections.snapshot()) {
                connection.fail(cause.toString());
            }
            retired = true;
            group.retire(this);
            closeUcx();
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

    boolean hasPendingSends() {
        return pendingSends > 0;
    }

    WorkerGroup.Key key() {
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
            Connection connection = connections.get(message.getInt(Frame.CONNECTION_OFFSET));
            if (connection != null) {
                onMessage(connection, message, typeAndLength);
            }
        }

        private static void onMessage(Connection connection, UcxMessage message, int typeAndLength) {
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
            Slice slice = slices.byId((int) (token >>> 32));
            slice.pending--;
            if (slice.detached && slice.pending == 0) {
                slices.give(slice);
            }
            Connection connection = connections.get((int) token);
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
            for (Connection connection : connections.snapshot()) {
                connection.onLinkFailed(broken, status);
            }
        }
    }
}
