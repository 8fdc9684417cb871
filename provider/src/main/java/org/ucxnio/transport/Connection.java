package org.ucxnio.transport;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import org.ucxnio.counters.Counter;
import org.ucxnio.counters.Log;
import org.ucxnio.ucx.UcsStatus;

/**
 * One accelerated byte stream in each direction: a logical connection over a link that many share. It is bound to a worker
 * once, at its first use; what its peer says before is kept. Methods are thread-safe; reading is for one thread at a time,
 * writing likewise (the channel's read and write locks see to that).
 */
public final class Connection {
    private final Transport transport;
    private final Peer peer;
    private final String peerName;
    private final ControlPort control;

    /** Used before the connection is bound; guarded by its monitor. */
    private final EarlyEvents early;

    /** Written once, with both the worker's lock and the monitor held. */
    private volatile TransportWorker worker;

    // -- guarded by the worker's lock (before binding: by the monitor) --
    private final SendSide send;
    private final ReceiveSide receive;
    private final Arrivals arrivals;
    private final Acknowledgements acknowledgements;
    private int localId;
    private final WayToPeer way;
    private final Endings endings;
    private ControlState controlState = ControlState.OPEN;
    private long exitTotal = -1;
    private boolean boundTold;
    private boolean drained;
    private boolean resetAtEnd;

    /** Closed, and {@link #resetAtEnd} says how it is to end: the progress that close makes first may find it done already. */
    private boolean ending;

    private boolean writtenInVain;
    private boolean afterwork;

    private boolean failed;
    private boolean countedAsFailed;
    // -- end --

    /** Written with the worker's lock held; read without, by threads that wait. */
    private volatile String failure;

    /** The application closed its side. */
    private volatile boolean closed;

    private volatile boolean inputShutdown;

    private volatile boolean urgentInline;

    /** The peer has said its last word. Written by the control thread, which is ahead of what waits for the connection to be bound. */
    private volatile boolean peerLeaves;

    private final Wakers wakers;
    private final Reading reading;
    private final Writing writing;

    Connection(Transport transport, Peer peer, String peerName, ControlPort control) {
        this.transport = transport;
        this.peer = peer;
        this.peerName = peerName;
        this.control = control;
        this.early = new EarlyEvents(transport.config(), control);
        this.way = new WayToPeer(this, transport, control);
        this.send = new SendSide(this, peer, transport.config().frameBytes());
        this.endings = new Endings(control, send);
        Waiting readers = new Waiting(transport.governor(), this::readReady, () -> closed);
        this.wakers = new Wakers(readers, new Waiting(transport.governor(), this::writeReady, () -> closed));
        this.receive = new ReceiveSide(
                this, transport.config().windowBytes(), transport.config().windowMessages());
        this.arrivals = new Arrivals(this, receive);
        this.acknowledgements = new Acknowledgements(this, receive);
        this.reading = new Reading(this, receive, acknowledgements, readers);
        this.writing = new Writing(this, send);
    }

    // -- binding ---------------------------------------------------------------------------------------------------

    /** Binds to a worker of {@code group}, if not bound yet, and tells the peer where to send. */
    public TransportWorker bind(WorkerGroup group) throws IOException {
        return bind(group, true);
    }

    /**
     * As {@link #bind}, for a write that follows at once: the peer hears where to send to in {@link #tellBound}, behind what is written,
     * which it may be waiting for.
     */
    public void bindForWrite(WorkerGroup group) throws IOException {
        bind(group, false);
    }

    private TransportWorker bind(WorkerGroup group, boolean tell) throws IOException {
        TransportWorker bound = worker;
        while (bound == null) {
            bound = bindNow(group, tell);
        }
        return bound;
    }

    /** Behind {@link #bindForWrite}, whatever came of the write. */
    public void tellBound() {
        TransportWorker bound = worker;
        bound.lock();
        try {
            if (!boundTold) {
                boundTold = true;
                control.sendBound(bound.address(), localId);
            }
        } finally {
            bound.unlock();
        }
    }

    private TransportWorker bindNow(WorkerGroup group, boolean tell) throws IOException {
        TransportWorker candidate = group.acquire(peer);
        boolean taken = false;
        candidate.lock();
        try {
            synchronized (this) {
                if (worker == null && !closed && candidate.takesConnections()) {
                    localId = candidate.register(this);
                    worker = candidate;
                    taken = true;
                }
            }
            if (taken) {
                if (tell) {
                    tellBound();
                }
                early.drainTo(this::runEvent);
                if (early.isFlooded()) {
                    fail("The peer sent more than it may");
                }
            }
        } finally {
            candidate.unlock();
            if (!taken) {
                group.release(candidate);
            }
        }
        if (worker == null && closed) {
            throw new SocketException("Socket is closed");
        }
        // Null where the worker was retired in between: its group makes another.
        return worker;
    }

    /** Runs an event of the control connection under the worker's lock, now or as soon as there is a worker. */
    void onControl(Runnable event) {
        TransportWorker bound;
        synchronized (this) {
            bound = worker;
            if (bound == null) {
                early.add(event);
                return;
            }
        }
        bound.lock();
        try {
            runEvent(event);
        } finally {
            bound.unlock();
        }
    }

    private void runEvent(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException | Error e) {
            broke(e);
        }
    }

    /** The peer says where it receives. The address comes from a trusted peer (see {@code connect}). */
    public void onPeerBound(byte[] workerAddress, int connectionId) {
        onControl(() -> way.open(workerAddress, connectionId));
    }

    /** The way to the peer is open. */
    void onWayOpen() {
        try {
            send.flush();
            acknowledgements.sendIfDue();
            worker.attendIfPending();
            finishIfDone();
        } catch (IOException e) {
            fail(e.getMessage());
        }
    }

    void onWayClosed(IOException cause) {
        if (!peer.sameHost()) {
            transport.rememberUnreachable(peer.processId());
        }
        fail(cause.getMessage());
    }

    /** Whether there is somebody to open a way to, and anything it could be for. */
    boolean wantsWay() {
        return !failed && !drained && !peerLeaves && controlState == ControlState.OPEN;
    }

    // -- what the peer says on the control connection ----------------------------------------------------------------

    /** Stream bytes that came over the control connection; copied. */
    public void onControlData(ByteBuffer bytes, boolean urgent) {
        synchronized (this) {
            if (worker == null && !early.admit(bytes.remaining())) {
                bytes.position(bytes.limit());
                return;
            }
        }
        ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
        onControl(() -> {
            try {
                if (urgent && !urgentInline) {
                    receive.skip(copy.remaining(), receive.received());
                } else {
                    receive.append(copy);
                }
                wakers.readable();
            } catch (IOException e) {
                fail(e.getMessage());
            }
        });
    }

    public void onControlFin(long total) {
        peerLeaves = true;
        onControl(() -> ended(total));
    }

    public void onControlExit(long total) {
        onControl(() -> exitTotal = total);
    }

    /** The control connection ended: the peer closed it after its end of stream, or died. */
    public void onControlClosed() {
        peerLeaves = true;
        onControl(this::peerClosed);
    }

    private void peerClosed() {
        if (controlState != ControlState.OPEN) {
            return;
        }
        controlState = ControlState.PEER_CLOSED;
        // What the peer sent before it closed or died may still lie in the worker.
        worker.drain();
        if (drained) {
            return;
        }
        if (!receive.endKnown() && exitTotal >= 0) {
            ended(Math.max(exitTotal, receive.received()));
        }
        // A peer that closes without having said where it receives never reads what was written to it: TCP calls that a
        // reset.
        writtenInVain = way.link() == null && !send.idle();
        if (!receive.endKnown() || writtenInVain) {
            fail("Connection reset");
            return;
        }
        send.discard();
        if (!receive.complete()) {
            // The rest is on its way over the network; it must not take for ever.
            transport
                    .poller()
                    .schedule(
                            transport.config().drainNanos(),
                            () -> onControl(() -> {
                                if (!receive.complete()) {
                                    fail("Connection reset");
                                }
                            }));
        }
        wakers.readable();
        wakers.writable();
        finishIfDone();
    }

    void ended(long total) {
        try {
            receive.end(total);
            wakers.readable();
        } catch (IOException e) {
            fail(e.getMessage());
        }
    }

    // -- what the worker hands on, with its lock held ----------------------------------------------------------------

    Arrivals arrivals() {
        return arrivals;
    }

    void onAcknowledgement(long bytes, long messages) throws IOException {
        if (send.acknowledge(bytes, messages)) {
            wakers.writable();
        }
    }

    /**
     * Sends nothing by itself: UCX completes a message while it works off the queue of those behind it, and what is sent at that
     * moment overtakes them.
     */
    void onSendCompleted(int status) {
        send.completed();
        worker.afterProgress(this);
        if (status != UcsStatus.OK && !failed) {
            fail(UcsStatus.toIOException("write", status, peerName).getMessage());
        }
    }

    /** What messages and completions of the last progress have left to do. */
    void afterProgress() {
        afterwork = false;
        if (failed || drained) {
            return;
        }
        try {
            acknowledgements.sendIfDue();
            send.flush();
            finishIfDone();
        } catch (IOException e) {
            fail(e.getMessage());
        }
    }

    /** The link may break because the peer is done; what it said about that on the control connection comes first. */
    void onLinkFailed(Link broken, int status) {
        if (way.link() == broken) {
            String reason =
                    UcsStatus.toIOException("connection", status, peerName).getMessage();
            control.confirm(() -> onControl(() -> failIfPeerStays(reason)));
        }
    }

    private void failIfPeerStays(String reason) {
        if (wantsWay() && exitTotal < 0) {
            fail(reason);
        }
    }

    /** Whether the peer may still want to know what was read. */
    boolean isPeerThere() {
        return controlState == ControlState.OPEN;
    }

    /** There may be something to read. */
    void readable() {
        wakers.readable();
    }

    void fail(String reason) {
        if (failed) {
            return;
        }
        failed = true;
        failure = reason == null ? "Connection reset" : reason;
        if (!closed) {
            Counter.CONNECTIONS_RESET.increment();
            Log.debug("Connection with " + peerName + " failed: " + failure);
        }
        send.discard();
        wakers.readable();
        wakers.writable();
        way.close(true);
        if (closed) {
            unregister();
        } else {
            control.abort();
            countedAsFailed = true;
            worker.connectionFailed();
        }
    }

    /** An error that this connection brought about breaks it, and nothing else. With the worker's lock held. */
    void broke(Throwable error) {
        Log.error("Connection with " + peerName + " broke", error);
        fail(error.toString());
    }

    // -- the channel's side ------------------------------------------------------------------------------------------

    /** Who is told of readiness from now on; null for nobody. What is ready already is for the caller to look up. */
    public void setListener(ReadinessListener newListener) {
        wakers.setListener(newListener);
    }

    /**
     * Reads what is there into the buffers, in order.
     *
     * @return bytes read; 0 when there is nothing yet; -1 at the end of the stream
     * @throws SocketException when the connection broke and everything that arrived has been read
     */
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        TransportWorker bound = worker;
        bound.lock();
        try {
            return reading.read(targets, offset, length);
        } finally {
            bound.unlock();
        }
    }

    /**
     * As {@link #read(ByteBuffer[], int, int)}, but where there is nothing yet it looks for more for a while, until the connection is
     * closed or the thread interrupted.
     */
    public long readSpinning(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        return reading.spin(targets, offset, length, timeoutNanos);
    }

    /** What a read without bytes returns or throws. */
    int nothingToRead() throws SocketException {
        if (inputShutdown || receive.atEnd() && !writtenInVain) {
            return -1;
        }
        if (failed) {
            throw new SocketException(failure);
        }
        return 0;
    }

    /**
     * Writes what the window allows out of the buffers, in order.
     *
     * @return bytes taken; 0 when the peer must read first
     */
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return writing.write(sources, offset, length, false);
    }

    /** Sends one byte that the peer's application sees only if it takes urgent data inline; false when the peer must read first. */
    public boolean writeUrgent(byte data) throws IOException {
        return writing.write(new ByteBuffer[] {ByteBuffer.wrap(new byte[] {data})}, 0, 1, true) > 0;
    }

    /** Whether urgent bytes of the peer are read like others; otherwise they are thrown away. */
    public void setUrgentInline(boolean inline) {
        urgentInline = inline;
    }

    /** With the worker's lock held: throws where nothing can be written any more. */
    void ensureWritable() throws IOException {
        if (failed) {
            throw new SocketException(failure);
        }
        if (controlState == ControlState.PEER_CLOSED) {
            throw new SocketException("Broken pipe");
        }
        if (send.finRequested()) {
            throw new ClosedChannelException();
        }
    }

    /** Bytes that can be read without waiting. */
    public int available() {
        TransportWorker bound = worker;
        if (bound == null) {
            return 0;
        }
        bound.lock();
        try {
            bound.progress();
            return (int) receive.unread();
        } finally {
            bound.unlock();
        }
    }

    /**
     * {@link SelectionKey#OP_READ} where a read would not return 0, {@link SelectionKey#OP_WRITE} where a write would not, and
     * {@link SelectionKey#OP_CONNECT} as well where the connection is over: the kernel then wakes whoever waits, whatever for. Looked
     * up without the lock: what changes meanwhile is told to the listener behind the change, as everything that makes ready is.
     */
    public int readyOps() {
        if (worker == null) {
            return SelectionKey.OP_WRITE;
        }
        return (readReady() ? SelectionKey.OP_READ : 0)
                | (writeReady() ? SelectionKey.OP_WRITE : 0)
                | (hungUp() ? SelectionKey.OP_CONNECT : 0);
    }

    private boolean hungUp() {
        return failed || send.finRequested() && (inputShutdown || receive.endKnown());
    }

    private boolean readReady() {
        return receive.hasBytes() || receive.atEnd() || failed || inputShutdown;
    }

    private boolean writeReady() {
        return send.writable() || failed || controlState == ControlState.PEER_CLOSED || send.finRequested();
    }

    /**
     * Waits until the connection is readable, by sleeping at once: to be called behind {@link #readSpinning}. Returns early when the
     * connection is closed or the thread interrupted.
     *
     * @param timeoutNanos 0 waits without bound
     * @return whether it became ready
     */
    public boolean awaitReadable(long timeoutNanos) {
        return wakers.awaitReadable(worker, timeoutNanos);
    }

    /** Waits until the connection is writable: spins, then sleeps; returns early as {@link #awaitReadable} does. */
    public boolean awaitWritable(long timeoutNanos) {
        return wakers.awaitWritable(worker, timeoutNanos);
    }

    /** No more bytes are read; what arrives is thrown away. */
    public void shutdownInput() {
        inputShutdown = true;
        onControl(() -> {
            receive.discard();
            acknowledgements.sendOrFail();
            wakers.readable();
        });
    }

    /** No more bytes are written; the peer sees the end of the stream behind what was written. */
    public void shutdownOutput() throws IOException {
        TransportWorker bound = bind(transport.blockingGroup());
        bound.lock();
        try {
            if (!failed && controlState != ControlState.PEER_CLOSED) {
                send.requestFin();
                bound.attendIfPending();
            }
            wakers.writable();
        } catch (IOException e) {
            fail(e.getMessage());
            throw e;
        } finally {
            bound.unlock();
        }
    }

    /** As {@link #close(boolean)} with true. */
    public void close() {
        close(true);
    }

    /**
     * Ends the use by the application. What was written is still delivered, within the drain time. Idempotent.
     *
     * @param resetIfUnread whether the peer sees a reset instead of the end of the stream where bytes are left unread, as TCP has it
     */
    public void close(boolean resetIfUnread) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (worker == null) {
                if (!early.hasBytes() || !resetIfUnread) {
                    control.sendFin(0);
                }
                control.close();
                transport.forget(this);
                return;
            }
        }
        worker.lock();
        try {
            wakers.setListener(null);
            worker.progress();
            resetAtEnd = resetIfUnread && receive.leavesUnread();
            closeBound();
        } finally {
            worker.unlock();
        }
    }

    /**
     * Ends the connection as a TCP reset would: the peer reads what was written before and then sees no end of stream. What nothing
     * carries yet for want of a way goes over the control connection, as TCP would have sent it at once.
     */
    public void reset() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            if (worker == null) {
                control.abort();
                control.close();
                transport.forget(this);
                return;
            }
        }
        worker.lock();
        try {
            wakers.setListener(null);
            worker.progress();
            resetAtEnd = true;
            closeBound();
        } finally {
            worker.unlock();
        }
    }

    private void closeBound() {
        ending = true;
        wakers.readable();
        wakers.writable();
        receive.discard();
        if (drained || failed) {
            unregister();
            return;
        }
        if (controlState == ControlState.PEER_CLOSED) {
            endControl();
            return;
        }
        if (way.link() == null) {
            endings.staged();
            endControl();
            return;
        }
        try {
            // Where nothing is under way, the last word ends the stream alone, and wakes the peer once instead of
            // twice.
            if (!resetAtEnd && !send.idle()) {
                send.requestFin();
            }
        } catch (IOException e) {
            fail(e.getMessage());
            return;
        }
        finishIfDone();
        if (!drained) {
            worker.attendIfPending();
            transport.poller().schedule(transport.config().drainNanos(), () -> onControl(this::giveUpDraining));
        }
    }

    private void giveUpDraining() {
        if (!drained && !failed) {
            fail("What was written could not be delivered in time");
        }
    }

    /** Once closed and everything delivered: ends the control connection behind it. */
    private void finishIfDone() {
        if (ending && !failed && !drained && (delivered() || controlState == ControlState.PEER_CLOSED)) {
            endControl();
        }
    }

    private boolean delivered() {
        return resetAtEnd || !send.finRequested() ? send.idle() : send.finished();
    }

    private void endControl() {
        if (controlState == ControlState.OPEN && !resetAtEnd) {
            controlState = ControlState.CLOSED;
            if (!peerLeaves) {
                endings.lastWord();
            }
        }
        unregister();
    }

    /** Once, however many ways to the end meet: the progress that close makes may itself deliver the last byte. */
    private void unregister() {
        if (drained) {
            return;
        }
        drained = true;
        control.close();
        way.close(false);
        transport.forget(this);
        worker.unregister(this);
    }

    /** At the exit of the JVM: sends what can be sent and says where the stream ends. Returns whether nothing is left to do. */
    boolean flushForExit(boolean lastCall) {
        TransportWorker bound = worker;
        if (bound == null) {
            synchronized (this) {
                endings.exit(0);
            }
            return true;
        }
        bound.lock();
        try {
            if (failed || drained || endings.exitTold()) {
                return true;
            }
            bound.progress();
            if (way.link() == null && controlState == ControlState.OPEN) {
                endings.staged();
            }
            boolean done = send.idle();
            if (done || lastCall) {
                endings.exit(send.accepted());
            }
            return done;
        } finally {
            bound.unlock();
        }
    }

    // -- for the package ---------------------------------------------------------------------------------------------

    TransportWorker worker() {
        return worker;
    }

    /** The worker this connection is bound to, or null. */
    public TransportWorker boundWorker() {
        return worker;
    }

    /** Whether {@link TransportWorker#connectionFailed} was called for this connection. */
    boolean isCountedAsFailed() {
        return countedAsFailed;
    }

    /** Whether a write may still be taken; a racy answer without the worker's lock. */
    boolean isWritable() {
        return !failed && controlState == ControlState.OPEN && !send.finRequested();
    }

    boolean isFailed() {
        return failed;
    }

    /** Whether urgent bytes are read like others. */
    boolean takesUrgentInline() {
        return urgentInline;
    }

    boolean linkReady() {
        return way.isOpen();
    }

    Link link() {
        return way.link();
    }

    int remoteId() {
        return way.remoteId();
    }

    int localId() {
        return localId;
    }

    String peerName() {
        return peerName;
    }

    /** Marks the connection for {@link #afterProgress}; false when it was already. */
    boolean markForAfterProgress() {
        boolean first = !afterwork;
        afterwork = true;
        return first;
    }
}
