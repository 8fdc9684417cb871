package org.ucxnio.transport;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.counters.Log;
import org.ucxnio.posix.Epoll;
import org.ucxnio.ring.RingWriter;
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
public final class TransportWorker {
    /** How long a thread sleeps where the worker says it is busy but makes no progress. */
    public static final long BUSY_WAIT_NANOS = 1_000_000;

    /** With rings in use, how often the worker is progressed for each time UCX is. */
    private static final int UCX_TURNS = 8;

    static final byte[] NO_PAYLOAD = {};

    private static final int MAX_BUSY_ROUNDS = 16;

    /** Tries of a thread that finds the lock taken before it sleeps: whoever spins for bytes lets go of it again and again. */
    private static final int LOCK_TRIES = 200;

    private static final int DRAIN_ROUNDS = 100_000;

    private final Transport transport;
    private final WorkerGroup group;
    private final WorkerGroup.Key key;
    private final ReentrantLock lock = new ReentrantLock();
    private final UcxWorker ucx;
    private final byte[] address;
    private final int eventFd;

    // -- guarded by lock --
    private final SlicePool slices;
    private final ConnectionTable connections = new ConnectionTable();
    private final Links links;
    private final SleeperLooks looks;
    private final List<Epoll> watchers = new ArrayList<>(1);
    private final ArrayList<Connection> afterProgress = new ArrayList<>();
    private final Rings rings;

    /** Connections that found their ring full. */
    private final ArrayList<Connection> stalled = new ArrayList<>();

    /** A link to whose ring something was written, and whose reader is yet to be looked at; see {@link #unlock}. */
    private Link written;

    /** A parked thread that there is something for; see {@link #unparkBehindLock}. */
    private Thread toUnpark;

    private Slice scratch;
    private int pendingSends;
    private int failedConnections;
    private int waiters;
    private boolean watchedByPoller;

    /** Its number with the poller; negative before the first thread parks. */
    private int pollerNumber = -1;

    private boolean progressing;
    private long bytesSent;
    private long bytesReceived;
    private boolean poolClosed;
    private boolean retired;
    private final Ticking ticking;
    // -- end --

    /** Written under the lock; read without by the poller, which takes an old value for a reason to look once more. */
    private volatile boolean attended;

    private long progressCount;

    private volatile boolean closed;

    /** A thread waits for the lock; a hint, which may be missed. */
    private volatile boolean wanted;

    TransportWorker(Transport transport, WorkerGroup group, WorkerGroup.Key key, UcxContext context)
            throws IOException {
        this.transport = transport;
        this.group = group;
        this.key = key;
        this.slices = new SlicePool(context);
        this.ticking = new Ticking(this, transport.poller());
        this.rings = new Rings(this, context, key.ownWorker() ? transport.ringBytes() : 0);
        this.ucx = context.createWorker(new Events());
        this.looks = new SleeperLooks(this, transport.poller());
        this.links = new Links(this, ucx, key.ownWorker());
        this.address = ucx.address();
        this.eventFd = ucx.eventFd();
    }

    // -- lock --------------------------------------------------------------------------------------------------------

    void lock() {
        if (!lock.tryLock()) {
            lockTaken();
        }
    }

    private void lockTaken() {
        for (int i = 0; i < LOCK_TRIES; i++) {
            wanted = true;
            Thread.onSpinWait();
            if (lock.tryLock()) {
                wanted = false;
                return;
            }
        }
        lock.lock();
        wanted = false;
    }

    /** Whether the holder of the lock, who has nothing better to do, should let go of it. */
    boolean isLockWanted() {
        return wanted;
    }

    /**
     * Lets go of the lock, and then looks whether the reader of the ring that was written to sleeps: giving the lock back is the full
     * fence that has to be in between (see {@link RingWriter}).
     */
    void unlock() {
        Link link = written;
        Thread thread = toUnpark;
        if (link == null && thread == null || lock.getHoldCount() > 1) {
            lock.unlock();
            return;
        }
        RingWriter ring = link == null ? null : link.ring;
        written = null;
        toUnpark = null;
        if (ring != null) {
            looks.begin();
        }
        lock.unlock();
        if (ring != null && looks.readerSleeps(ring)) {
            wakeReader(link, ring);
        }
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

    private void wakeReader(Link link, RingWriter ring) {
        lock();
        try {
            // A ring that took its place was announced by a message, which woke the reader as well.
            if (link.ring == ring && ring.wake()) {
                sendToWorker(link, Frame.NOP, 0, NO_PAYLOAD);
            }
        } finally {
            unlock();
        }
    }

    // -- progress ----------------------------------------------------------------------------------------------------

    /** Progresses unless another thread is at it. Returns whether anything happened. */
    public boolean progressIfFree(Effort effort) {
        if (!lock.tryLock()) {
            return true;
        }
        try {
            return progressFor(null, effort);
        } finally {
            unlock();
        }
    }

    /**
     * With the lock held: advances communication once. Where rings carry the bytes UCX has little to say and is asked now and then
     * only; see {@link #progressAll}.
     */
    boolean progress() {
        return progressFor(null, Effort.SOME);
    }

    /** With the lock held: on behalf of the read of a connection, if not null, which takes what it has room for. */
    boolean progressFor(Connection reading, Effort effort) {
        if (effort == Effort.SPIN) {
            rings.spin();
        }
        boolean ringsOnly =
                effort != Effort.ALL && rings.isActive() && pendingSends == 0 && (progressCount & UCX_TURNS - 1) != 0;
        return progress(!ringsOnly, reading);
    }

    /** As {@link #progress}, and false only when neither rings nor UCX had anything. */
    boolean progressAll() {
        return progress(true, null);
    }

    private boolean progress(boolean withUcx, Connection reading) {
        if (closed || progressing) {
            return false;
        }
        progressing = true;
        try {
            progressCount++;
            int events = 0;
            int messages = 1;
            // A ring that a message brings into use may have something already.
            for (int i = 0; i < MAX_BUSY_ROUNDS && messages > 0; i++) {
                events += rings.isActive() ? rings.poll(reading) : 0;
                messages = (withUcx ? ucx.progress() : 0) + rings.workOff();
                events += messages;
            }
            if (!stalled.isEmpty()) {
                retryStalled();
            }
            if (!afterProgress.isEmpty()) {
                workAfterProgress();
            }
            return events != 0;
        } finally {
            progressing = false;
            links.closeDue();
        }
    }

    boolean isInsideUcx() {
        return progressing;
    }

    private void retryStalled() {
        for (int i = 0; i < stalled.size(); i++) {
            Connection connection = stalled.get(i);
            connection.stalled = false;
            afterProgress(connection);
        }
        stalled.clear();
    }

    /** The connection's ring is full: it is tried again with each progress, for which the reader wakes us once there is room. */
    void stalled(Connection connection) throws IOException {
        if (!connection.stalled) {
            connection.stalled = true;
            stalled.add(connection);
        }
        connection.link().ring.wantRoom();
        rings.wantLarger(connection.link());
        attendIfPending();
    }

    /** With the lock held: progresses until nothing more has arrived. */
    void drain() {
        for (int i = 0; i < DRAIN_ROUNDS && progressAll(); i++) {
            // each round takes in what a round can
        }
    }

    private void workAfterProgress() {
        for (int i = 0; i < afterProgress.size(); i++) {
            afterProgress.get(i).afterProgress();
        }
        afterProgress.clear();
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

    // -- sleeping ----------------------------------------------------------------------------------------------------

    /**
     * Prepares the worker for a sleep on its event descriptor: takes in what has arrived and arms it.
     *
     * @return whether it is armed; when not, it has events, or claims to: sleep for {@link #BUSY_WAIT_NANOS} at most
     */
    public boolean arm() {
        lock();
        try {
            return armNow();
        } finally {
            unlock();
        }
    }

    /**
     * As {@link #arm}, for a thread that does not sleep on the event descriptor: from now on the poller takes in what comes, and
     * listeners are told. Followed by {@link #handBack}.
     */
    public boolean handToPoller() {
        lock();
        try {
            boolean armed = armForWaiter();
            return closed || watchForWaiter() && armed;
        } finally {
            unlock();
        }
    }

    public void handBack() {
        lock();
        try {
            waiterDone();
        } finally {
            unlock();
        }
    }

    private boolean armNow() {
        for (int round = 0; round < MAX_BUSY_ROUNDS; round++) {
            if (closed) {
                return true;
            }
            while (progressAll()) {
                // everything that has arrived is taken in before the worker is armed
            }
            if (rings.sleep() && ucx.arm() == UcsStatus.OK) {
                return true;
            }
        }
        return false;
    }

    /** With the lock held: as {@link #arm}, for a thread that the poller shall wake. Followed by {@link #waiterDone}. */
    boolean armForWaiter() {
        waiters++;
        return !closed && armNow();
    }

    /**
     * With the lock held: the poller wakes the waiters from now on, if the worker has an event already as well as when one comes;
     * returns false where it cannot. To be asked only behind {@link #armForWaiter}, or the poller would be woken by an event that the
     * caller is about to take in.
     */
    boolean watchForWaiter() {
        return !closed && watchWithPoller();
    }

    private boolean watchWithPoller() {
        if (pollerNumber < 0) {
            pollerNumber = transport.poller().add(this);
            watchedByPoller = pollerNumber >= 0;
        } else if (!watchedByPoller) {
            transport.poller().watch(this, pollerNumber);
            watchedByPoller = true;
        }
        return watchedByPoller;
    }

    void waiterDone() {
        waiters--;
    }

    /** Called by the poller: the event descriptor became readable. */
    void onEvent() {
        lock();
        try {
            if (waiters > 0 || closed) {
                if (!armNow()) {
                    transport.poller().attend(this);
                }
            } else if (watchedByPoller) {
                watchedByPoller = false;
                transport.poller().unwatch(this, pollerNumber);
            }
        } finally {
            unlock();
        }
    }

    /** Adds the event descriptor to an epoll instance, until {@link #unwatch} or the end of the worker. */
    public boolean watch(Epoll epoll, long data) {
        lock();
        try {
            if (closed) {
                return false;
            }
            epoll.add(eventFd, Epoll.IN, data);
            watchers.add(epoll);
            return true;
        } catch (IOException e) {
            Log.warnOnce("watch", "Cannot watch a UCX worker: " + e.getMessage());
            return false;
        } finally {
            unlock();
        }
    }

    public void unwatch(Epoll epoll) {
        lock();
        try {
            if (watchers.remove(epoll)) {
                epoll.remove(eventFd);
            }
        } finally {
            unlock();
        }
    }

    /** With the lock held: asks the poller to progress this worker while it has sends pending and nobody else does. */
    void attendIfPending() {
        if (hasUnfinished() && !attended) {
            attended = true;
            transport.poller().attend(this);
        }
    }

    private boolean hasUnfinished() {
        return pendingSends > 0 || !stalled.isEmpty();
    }

    /**
     * At the exit of the JVM: whether everything is with the peers. What UCX has sent on one host is in their memory; over a network it
     * may be in a buffer of UCX's, or on its way from memory of this process.
     */
    boolean flushForExit() {
        lock();
        try {
            progressAll();
            return closed || !hasUnfinished() && (key.ownWorker() || ucx.flush());
        } finally {
            unlock();
        }
    }

    /** One visit of the poller to an unattended worker; returns whether it wants another. */
    boolean visit() {
        if (!lock.tryLock()) {
            return true;
        }
        try {
            while (progressAll()) {
                // until nothing moves
            }
            boolean again = !closed && (hasUnfinished() || waiters > 0 && !armNow());
            attended = again;
            return again;
        } finally {
            unlock();
        }
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
        if (links.confirm(link)) {
            rings.confirmed(link);
        }
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

    /** A message for the peer's worker and no connection of it; where it cannot be sent, the link is about to fail anyway. */
    void sendToWorker(Link link, int type, long argument, byte[] payload) {
        try {
            int length = Frame.HEADER_LENGTH + payload.length;
            Slice slice = scratch(length);
            int at = slice.base + slice.write;
            slice.buffer.putInt(at + Frame.CONNECTION_OFFSET, 0);
            slice.buffer.putInt(at + Frame.TYPE_LENGTH_OFFSET, Frame.typeAndLength(type, payload.length));
            slice.buffer.putLong(at + Frame.POSITION_OFFSET, argument);
            slice.buffer.put(at + Frame.PAYLOAD_OFFSET, payload);
            sendUnowned(link, slice, at, length);
        } catch (IOException e) {
            Log.debug("A message to a peer's worker was not sent: " + e.getMessage());
        }
    }

    /** Something was published in the link's ring. */
    void committed(Link link) {
        link.sent++;
        if (written == null) {
            written = link;
        } else if (written != link) {
            VarHandle.fullFence();
            if (link.ring.readerSleeps()) {
                wakeReader(link, link.ring);
            }
        }
        rings.growIfDue(link);
    }

    /** The open link to a peer's worker, or null. */
    Link linkTo(byte[] remoteAddress) {
        return links.find(remoteAddress);
    }

    /** What the peer sent over a ring cannot be: none of the connections it shares the ring with can go on. */
    void failLink(Link.Key peer, String reason) {
        Link link = links.find(peer);
        for (Connection connection : connections.snapshot()) {
            if (connection.link() == link) {
                connection.fail(reason);
            }
        }
    }

    /** The connection that has this id, or null. */
    Connection connection(int id) {
        return connections.get(id);
    }

    void ringsUnavailable(String reason) {
        transport.ringsUnavailable(reason);
    }

    /** Sends what is written behind a {@link #scratch} slice and belongs to no connection. */
    void sendUnowned(Link link, Slice slice, int at, int length) throws IOException {
        int status = send(link, 0, slice, at, length);
        if (status == UcsStatus.INPROGRESS) {
            slice.write += length + 7 & ~7;
            attendIfPending();
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
            rings.tidy();
            progressAll();
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

    /** With the lock held or before the worker is shared. */
    void closeUcx() {
        if (closed) {
            return;
        }
        closed = true;
        for (Epoll epoll : watchers) {
            epoll.remove(eventFd);
        }
        watchers.clear();
        if (pollerNumber >= 0) {
            transport.poller().remove(this, pollerNumber);
            pollerNumber = -1;
        }
        links.close();
        stalled.clear();
        rings.close();
        ucx.close();
        transport.retired(this);
        freePoolIfUnused();
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

    SleeperLooks looks() {
        return looks;
    }

    SlicePool slices() {
        return slices;
    }

    byte[] address() {
        return address;
    }

    int eventFd() {
        return eventFd;
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

    /** Shared memory its rings hold. */
    long ringBytes() {
        return rings.bytes();
    }

    /** The lanes of its links, for the report. */
    List<String> lanes() {
        lock();
        try {
            List<String> lanes = new ArrayList<>();
            for (Link link : links.all()) {
                if (!link.failed) {
                    String lane = link.endpoint().lanes();
                    lanes.add(link.ring == null ? lane : "ring over " + lane);
                }
            }
            return lanes;
        } finally {
            unlock();
        }
    }

    /** What UCX tells; runs inside progress and send, with the lock held. */
    private final class Events implements UcxWorkerListener {
        @Override
        public void onMessage(UcxMessage message) {
            if (message.length() < Frame.HEADER_LENGTH) {
                return;
            }
            int typeAndLength = message.getInt(Frame.TYPE_LENGTH_OFFSET);
            int id = message.getInt(Frame.CONNECTION_OFFSET);
            Connection connection = connections.get(id);
            if (connection != null) {
                connection.arrivals().onMessage(message, typeAndLength);
            } else if (id == 0) {
                rings.onMessage(message, typeAndLength);
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
