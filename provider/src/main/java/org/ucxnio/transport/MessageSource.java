package org.ucxnio.transport;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.ucxnio.config.Config;
import org.ucxnio.link.Source;
import org.ucxnio.ucx.UcxMessage;

/** A stream that comes in messages. Guarded by the worker's lock; what other threads look at without it they look at once more. */
final class MessageSource implements Source {
    private final Connection connection;
    private final ReceiveSide receive;
    private Parking parking;

    private volatile long switchedAt = -1;
    private volatile boolean urgentInline;

    /** The peer has broken its stream off. Written with the lock held. */
    private volatile boolean reset;

    /** Where the stream ends should the peer be gone without another word; -1 where it has not said so. */
    private volatile long exitTotal = -1;

    /** When the end of the socket was first seen here; 0 before. The owner's, or a racy look. */
    private volatile long socketEndedNanos;

    MessageSource(Connection connection, Config config) {
        this.connection = connection;
        this.receive = new ReceiveSide(connection.worker().slices(), config.windowBytes(), config.windowMessages());
        this.parking = new Parking(connection.worker(), connection.worker().events(), this::isReadable);
    }

    // -- what arrives, with the lock held ----------------------------------------------------------------------------

    void take(UcxMessage message, int length, long position, boolean urgent) throws IOException {
        if (urgent && !urgentInline) {
            receive.skip(length, position);
        } else {
            receive.append(message, length, position);
        }
        if (receive.acknowledgementDue()) {
            connection.worker().afterProgress(connection);
        }
        if (receive.hasBytes()) {
            readable();
        }
    }

    private void readable() {
        parking.wakeBehindLock();
        connection.changed();
    }

    void switches(long position) throws IOException {
        if (position < 0 || switchedAt >= 0) {
            throw new IOException("The peer switched where it cannot");
        }
        switchedAt = position;
    }

    /** FIN, RESET or EXIT. */
    void ends(int type, long total) throws IOException {
        if (type == Frame.EXIT) {
            exitTotal = total;
        } else if (type == Frame.RESET) {
            reset = true;
        } else {
            receive.end(total);
        }
        readable();
    }

    void acknowledgeIfDue() throws IOException {
        if (receive.acknowledgementDue() && connection.linkReady()) {
            connection.tell(Frame.ACK, receive.consumed(), receive.messages());
            receive.acknowledged();
        }
    }

    void broke() {
        parking.wakeBehindLock();
    }

    void discard() {
        receive.discard();
    }

    // -- reading -----------------------------------------------------------------------------------------------------

    @Override
    public long switchedAt() {
        return switchedAt;
    }

    @Override
    public void catchUp() {
        TransportWorker worker = connection.worker();
        worker.lock();
        try {
            worker.drain();
        } finally {
            worker.unlock();
        }
    }

    @Override
    public boolean refuseSwitch() {
        TransportWorker worker = connection.worker();
        worker.lock();
        try {
            worker.drain();
            return connection.refuseSwitch();
        } finally {
            worker.unlock();
        }
    }

    @Override
    public void enter() {
        TransportWorker worker = connection.worker();
        worker.lock();
        try {
            connection.stopAwaitingSwitch();
        } finally {
            worker.unlock();
        }
    }

    @Override
    public void urgentInline(boolean inline) {
        urgentInline = inline;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        TransportWorker worker = connection.worker();
        worker.lock();
        try {
            long count = receive.read(targets, offset, length);
            if (count == 0) {
                if (connection.isSocketEnded()) {
                    worker.drain();
                } else {
                    worker.progress();
                }
                count = receive.read(targets, offset, length);
            }
            if (count == 0) {
                return nothing();
            }
            acknowledge();
            return count;
        } finally {
            worker.unlock();
        }
    }

    private void acknowledge() {
        try {
            acknowledgeIfDue();
        } catch (IOException e) {
            // What was read is the application's, even if the peer cannot be told.
            connection.fail(e.getMessage());
        }
    }

    /** What a read without bytes returns or throws. */
    private int nothing() throws IOException {
        if (receive.atEnd() || exited()) {
            return -1;
        }
        if (reset) {
            throw new SocketException("Connection reset");
        }
        if (connection.failure() != null) {
            throw new SocketException(connection.failure());
        }
        return 0;
    }

    /** The peer's process has ended behind the last byte, and said so. */
    private boolean exited() {
        return exitTotal == receive.received() && connection.isSocketEnded();
    }

    @Override
    public boolean isReadable() {
        return receive.hasBytes() || receive.atEnd() || reset || exited() || connection.failure() != null;
    }

    @Override
    public boolean isAtEnd() {
        return receive.atEnd();
    }

    @Override
    public boolean isStale() {
        return false;
    }

    @Override
    public void update() {
        // What is here is what there is.
    }

    @Override
    public boolean hasSomething() {
        connection.worker().progressIfFree();
        return isReadable();
    }

    @Override
    public int available() {
        TransportWorker worker = connection.worker();
        worker.lock();
        try {
            worker.progress();
            return (int) receive.unread();
        } finally {
            worker.unlock();
        }
    }

    @Override
    public boolean announces() {
        return true;
    }

    @Override
    public boolean isSessionAlive() {
        return connection.isSessionAlive();
    }

    @Override
    public boolean isOver() {
        long grace = connection.graceNanos();
        long since = socketEndedNanos;
        long now = System.nanoTime();
        if (grace == 0) {
            return true;
        }
        if (since == 0) {
            socketEndedNanos = now;
            connection.transport().poller().schedule(grace, this::look);
            return false;
        }
        return now - since >= grace;
    }

    /** From now on less is waited for: a selector that has looked already does so again when it is over. */
    void sessionEnded() {
        if (socketEndedNanos != 0) {
            connection.transport().poller().schedule(connection.graceNanos(), this::look);
        }
    }

    private void look() {
        parking.wake();
        connection.changed();
    }

    // -- sleeping ----------------------------------------------------------------------------------------------------

    @Override
    public boolean canSleep(boolean virtualThread) {
        return true;
    }

    @Override
    public boolean arm(int how) {
        return parking.arm();
    }

    @Override
    public void sleep(long nanos) {
        parking.sleep(nanos);
    }

    @Override
    public void disarm() {
        parking.disarm();
    }

    @Override
    public void wake() {
        parking.wake();
    }

    // -- the end -----------------------------------------------------------------------------------------------------

    @Override
    public boolean hasUnread() {
        catchUp();
        return receive.leavesUnread();
    }

    @Override
    public void leave(boolean abort) {
        TransportWorker worker = connection.worker();
        worker.lock();
        try {
            worker.drain();
            boolean unread = abort || receive.leavesUnread();
            receive.discard();
            tellThatItLeft(unread);
            connection.sourceEnded();
        } finally {
            worker.unlock();
        }
    }

    private void tellThatItLeft(boolean unread) {
        try {
            if (connection.linkReady() && connection.failure() == null && !receive.endKnown()) {
                connection.tell(Frame.LEFT, unread ? Frame.LEFT_UNREAD : Frame.READ_TO_THE_END, 0);
            }
        } catch (IOException e) {
            connection.fail(e.getMessage());
        }
    }
}
