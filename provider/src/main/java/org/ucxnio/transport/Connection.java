package org.ucxnio.transport;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.ucxnio.counters.Counter;
import org.ucxnio.counters.Log;
import org.ucxnio.link.Carried;
import org.ucxnio.link.Sink;
import org.ucxnio.link.Source;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxMessage;

/**
 * What a connection has of UCX: a number at a worker of ours, where its peer sends to, and a number at a worker of the peer's, over the
 * link to that worker that many share. Its two streams are {@link MessageSource} and {@link MessageSink}. It goes once both have ended.
 *
 * <p>Guarded by the worker's lock, but for what is said to be volatile. The session's thread makes it and joins its ends.
 */
final class Connection implements BoundConnection {
    private static final long SHORT_GRACE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The ends of the connection that are no longer used. */
    private static final int SOURCE_ENDED = 1;

    private static final int SINK_ENDED = 2;
    private static final int GONE = SOURCE_ENDED | SINK_ENDED;

    private final Transport transport;
    private final MessageBond bond;
    private final Peer peer;

    /** Written once, by {@link #bind}, before anybody else sees this. */
    private TransportWorker worker;

    private int localId;
    private MessageSource source;
    private MessageSink sink;

    /** Null until the first end is joined. */
    private volatile Carried owner;

    // -- guarded by the worker's lock --
    private Link link;
    private int remoteId;
    private int ended;
    private boolean afterwork;
    private boolean sinkGiven;
    private boolean awaitsSwitch;
    private boolean awaitsAnswer;
    private boolean switchToConfirm;
    private boolean switchConfirmed;
    private boolean switchRefused;
    private boolean switchKnown;
    private boolean countedAsFailed;
    // -- end --

    /** Why it broke; null while it has not. Written with the lock held. */
    private volatile String failure;

    Connection(Transport transport, MessageBond bond, Peer peer) {
        this.transport = transport;
        this.bond = bond;
        this.peer = peer;
    }

    // -- the session's thread ----------------------------------------------------------------------------------------

    void bind(WorkerGroup group) throws IOException {
        while (worker == null) {
            TransportWorker candidate = group.acquire(peer);
            candidate.lock();
            try {
                if (candidate.takesConnections()) {
                    worker = candidate;
                    source = new MessageSource(this, transport.config());
                    sink = new MessageSink(this, peer, transport.config().frameBytes());
                    localId = candidate.register(this);
                }
            } finally {
                candidate.unlock();
            }
            if (worker == null) {
                // Retired in between: its group makes another.
                group.release(candidate);
            }
        }
    }

    /**
     * Opens the way to the peer's worker, which stays where it is as long as its process has not been answered. So the link leads there:
     * UCX opens the peer's memory as a file by its number in the peer's process, whatever has that number by then.
     */
    void reach(byte[] address, int id) throws IOException {
        worker.lock();
        try {
            link = worker.link(address);
            remoteId = id;
            worker.confirmed(link);
        } finally {
            worker.unlock();
        }
    }

    Source source(Carried carried) {
        worker.lock();
        try {
            if (failure != null) {
                // The peer does not know, and would write to nobody.
                return null;
            }
            owner = carried;
            awaitsSwitch = true;
            watch();
            return source;
        } finally {
            worker.unlock();
        }
    }

    Sink sink(Carried carried) {
        worker.lock();
        try {
            owner = carried;
            sinkGiven = true;
            return sink;
        } finally {
            worker.unlock();
        }
    }

    /** Nothing came of it. */
    void abandon() {
        worker.lock();
        try {
            end(GONE);
        } finally {
            worker.unlock();
        }
    }

    /** The session is over. What it has not agreed on by now it will not. */
    void sessionEnded() {
        worker.lock();
        try {
            if (owner == null) {
                end(GONE);
            } else {
                source.sessionEnded();
                if (sinkGiven) {
                    sink.sessionEnded();
                } else {
                    end(SINK_ENDED);
                }
            }
        } finally {
            worker.unlock();
        }
    }

    // -- messages ----------------------------------------------------------------------------------------------------

    /** What the peer sends: checked, and handed on. Whatever is not as it should be breaks the connection, and no other. */
    @Override
    public void onMessage(UcxMessage message, int typeAndLength) {
        if (failure != null) {
            return;
        }
        try {
            long position = message.getLong(Frame.POSITION_OFFSET);
            switch (Frame.type(typeAndLength)) {
                case Frame.DATA, Frame.URGENT -> onData(message, typeAndLength, position);
                case Frame.ACK -> sink.acknowledged(position, message.getLong(Frame.PAYLOAD_OFFSET));
                case Frame.FIN, Frame.RESET, Frame.EXIT -> source.ends(Frame.type(typeAndLength), position);
                case Frame.LEFT -> sink.readerLeft(position);
                case Frame.SWITCH -> onSwitch(position);
                case Frame.SWITCHED -> onSwitched();
                default -> throw new IOException("Unknown message type");
            }
        } catch (IOException | IndexOutOfBoundsException e) {
            fail(e.getMessage());
        }
    }

    private void onData(UcxMessage message, int typeAndLength, long position) throws IOException {
        int length = Frame.length(typeAndLength);
        if (Frame.HEADER_LENGTH + length != message.length()) {
            throw new IOException("A message says a length that is not its own");
        }
        worker.countReceived(length);
        source.take(message, length, position, Frame.type(typeAndLength) == Frame.URGENT);
    }

    private void onSwitch(long position) throws IOException {
        if (owner == null) {
            throw new IOException("The peer switched to what nobody has offered");
        }
        source.switches(position);
        switchToConfirm = true;
        worker.afterProgress(this);
        changed();
    }

    /** The application may be told of something. */
    void changed() {
        Carried told = owner;
        if (told != null) {
            told.onReady();
        }
    }

    /**
     * Sends nothing by itself: UCX completes a message while it works off the queue of those behind it, and what is sent at that
     * moment overtakes them.
     */
    @Override
    public void onSendCompleted(int status) {
        sink.completed();
        worker.afterProgress(this);
        if (status != UcsStatus.OK) {
            fail(UcsStatus.toIOException("write", status, "").getMessage());
        }
    }

    @Override
    public boolean markForAfterProgress() {
        boolean first = !afterwork;
        afterwork = true;
        return first;
    }

    @Override
    public void afterProgress() {
        afterwork = false;
        if (failure != null || ended == GONE) {
            return;
        }
        try {
            if (switchToConfirm) {
                switchToConfirm = false;
                answerSwitch();
            }
            if (switchKnown) {
                switchKnown = false;
                sink.switchIsKnown();
            }
            source.acknowledgeIfDue();
            sink.flush();
        } catch (IOException e) {
            fail(e.getMessage());
        }
    }

    /** A peer whose switch is confirmed sends a token, which finds no socket any more where this end is closed by then. */
    private void answerSwitch() throws IOException {
        if (switchRefused) {
            tell(Frame.LEFT, Frame.READ_TO_THE_END, 0);
        } else {
            switchConfirmed = true;
            tell(Frame.SWITCHED, 0, 0);
        }
    }

    /** Returns whether the peer's switch was confirmed before. */
    boolean refuseSwitch() {
        switchRefused = true;
        return switchConfirmed;
    }

    /** Sends a message without payload but for eight bytes. */
    void tell(int type, long position, long payload) throws IOException {
        int payloadBytes = type == Frame.ACK ? Frame.ACK_PAYLOAD_LENGTH : 0;
        int length = Frame.HEADER_LENGTH + payloadBytes;
        Slice slice = worker.scratch(Frame.HEADER_LENGTH + Frame.ACK_PAYLOAD_LENGTH);
        int at = slice.base + slice.write;
        slice.buffer.putInt(at + Frame.CONNECTION_OFFSET, remoteId);
        slice.buffer.putInt(at + Frame.TYPE_LENGTH_OFFSET, Frame.typeAndLength(type, payloadBytes));
        slice.buffer.putLong(at + Frame.POSITION_OFFSET, position);
        if (payloadBytes > 0) {
            slice.buffer.putLong(at + Frame.PAYLOAD_OFFSET, payload);
        }
        worker.sendUnowned(link, slice, at, length);
    }

    // -- failure -----------------------------------------------------------------------------------------------------

    @Override
    public void onLinkFailed(Link broken, int status) {
        if (link == broken) {
            fail(UcsStatus.toIOException("connection", status, "").getMessage());
        }
    }

    @Override
    public void fail(String reason) {
        if (failure != null || ended == GONE) {
            return;
        }
        failure = reason == null ? "Connection reset" : reason;
        Counter.CONNECTIONS_RESET.increment();
        Log.debug("A connection over UCX failed: " + failure);
        countedAsFailed = true;
        worker.connectionFailed();
        stopAwaitingAnswer();
        // First: the connection may be gone behind the others, and its link be left to the next one as a good link is.
        closeLink(true);
        source.broke();
        sink.broke();
        Carried told = owner;
        if (told != null) {
            transport.poller().execute(told::onBroken);
            changed();
        }
    }

    @Override
    public void broke(Throwable error) {
        Log.error("A connection over UCX broke", error);
        fail(error.toString());
    }

    // -- until a switch is through, the poller takes in what comes ----------------------------------------------------

    /** The application may sleep in the kernel meanwhile, or do nothing. */
    private void watch() {
        worker.events().watchForWaiterOrAttend();
    }

    /** The peer has switched, or never will. */
    void stopAwaitingSwitch() {
        if (awaitsSwitch) {
            awaitsSwitch = false;
            worker.events().waiterDone();
        }
    }

    /** This end switches, and will be answered. */
    void switchAt(long position) throws IOException {
        if (linkReady()) {
            tell(Frame.SWITCH, position, 0);
            awaitsAnswer = true;
            watch();
        }
    }

    private void stopAwaitingAnswer() {
        if (awaitsAnswer) {
            awaitsAnswer = false;
            worker.events().waiterDone();
        }
    }

    private void onSwitched() throws IOException {
        if (!awaitsAnswer) {
            throw new IOException("The peer confirmed a switch that was not");
        }
        stopAwaitingAnswer();
        transport.poller().execute(owner::onSwitchKnown);
        worker.afterProgress(this);
        switchKnown = true;
    }

    // -- the end -----------------------------------------------------------------------------------------------------

    void sourceEnded() {
        end(SOURCE_ENDED);
    }

    /** What was written is with the peer, or never will be. Any thread. */
    void sinkEnded() {
        worker.lock();
        try {
            end(SINK_ENDED);
        } finally {
            worker.unlock();
        }
    }

    private void end(int which) {
        if (ended == GONE) {
            return;
        }
        ended |= which;
        if ((which & SOURCE_ENDED) != 0) {
            stopAwaitingSwitch();
            sink.sourceEnded();
        }
        if (ended == GONE) {
            stopAwaitingAnswer();
            source.discard();
            closeLink(false);
            bond.forget(this);
            transport.forget(this);
            worker.unregister(this);
        }
    }

    boolean isSourceEnded() {
        return (ended & SOURCE_ENDED) != 0;
    }

    private void closeLink(boolean broken) {
        if (link != null) {
            worker.releaseLink(link, broken);
            link = null;
        }
    }

    @Override
    public boolean flushForExit(boolean lastCall) {
        worker.lock();
        try {
            worker.progress();
            return ended == GONE || failure != null || link == null || sink.flushForExit(lastCall);
        } finally {
            worker.unlock();
        }
    }

    // -- looks -------------------------------------------------------------------------------------------------------

    /**
     * How long a stream may go on without its socket: what was sent before the socket ended may come behind it. Over a network it may be
     * under way. On one host a thread of the peer's that was stopped in the middle of a send, of any connection, keeps back what others
     * have sent behind it: they share a queue in memory, whose places are filled in any order and emptied in theirs (34 ms seen, with two
     * busy threads for each processor). A process that has died leaves no such thread.
     */
    long graceNanos() {
        if (peer.sameHost()) {
            return bond.isAlive() ? SHORT_GRACE_NANOS : 0;
        }
        return bond.isAlive() ? transport.config().drainNanos() : SHORT_GRACE_NANOS;
    }

    /**
     * How long a closed channel may take to deliver what was written. On one host a peer without a session is most likely dead, which UCX
     * does not tell, and its worker holds some 12 MB of shared memory as long as this lasts.
     */
    long drainNanos() {
        long configured = transport.config().drainNanos();
        return peer.sameHost() && !bond.isAlive() ? Math.min(configured, SHORT_GRACE_NANOS) : configured;
    }

    boolean isSessionAlive() {
        return bond.isAlive();
    }

    boolean isSocketEnded() {
        Carried carried = owner;
        return carried != null && carried.tokens().isEnded();
    }

    Carried owner() {
        return owner;
    }

    Transport transport() {
        return transport;
    }

    TransportWorker worker() {
        return worker;
    }

    @Override
    public int localId() {
        return localId;
    }

    int remoteId() {
        return remoteId;
    }

    Link link() {
        return link;
    }

    boolean linkReady() {
        return link != null && !link.failed;
    }

    @Override
    public boolean isCountedAsFailed() {
        return countedAsFailed;
    }

    /** Null while it has not broken. Any thread. */
    String failure() {
        return failure;
    }
}
