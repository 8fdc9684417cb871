package org.ucxnio.transport;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.ucxnio.link.Carried;
import org.ucxnio.link.Sink;

/** A stream that goes in messages. Guarded by the worker's lock; what other threads look at without it they look at once more. */
final class MessageSink implements Sink {
    /** Not used yet. */
    private static final int IDLE = 0;

    private static final int SWITCHED = 1;

    /** The end of the stream follows what waits. */
    private static final int ENDING = 2;

    /** All is with UCX, or lost. */
    private static final int ENDED = 3;

    private final Connection connection;
    private final SendSide send;
    private final Parking parking;
    private final ByteBuffer urgentByte = ByteBuffer.allocate(1);
    private final ByteBuffer[] urgent = {urgentByte};

    /** Written with the lock held; only rises. */
    private volatile int state;

    /** How the reader left, as its message says it; 0 where it has not. Written with the lock held. */
    private volatile int readerLeft;

    /** The peer knows where the stream has left TCP. The socket stays until then: its end alone would be taken for the stream's. */
    private boolean switchKnown;

    private boolean exitTold;

    MessageSink(Connection connection, Peer peer, int frameBytes) {
        this.connection = connection;
        this.send = new SendSide(connection, peer, frameBytes);
        this.parking = new Parking(connection.worker(), connection.worker().events(), this::isWritable);
    }

    // -- what arrives, with the lock held ----------------------------------------------------------------------------

    void acknowledged(long bytes, long messages) throws IOException {
        if (send.acknowledge(bytes, messages)) {
            writable();
        }
    }

    void readerLeft(long how) throws IOException {
        if (how != Frame.LEFT_UNREAD && how != Frame.READ_TO_THE_END) {
            throw new IOException("The peer left as nobody can");
        }
        readerLeft = (int) how;
        // Nobody will read what waits for room.
        send.discard();
        writable();
        finishIfDone();
    }

    private void writable() {
        parking.wakeBehindLock();
        connection.changed();
    }

    void completed() {
        send.completed();
    }

    void flush() throws IOException {
        send.flush();
        connection.worker().events().attendIfPending();
        finishIfDone();
    }

    void broke() {
        send.discard();
        parking.wakeBehindLock();
        if (state == ENDING) {
            finish();
        }
    }

    // -- writing -----------------------------------------------------------------------------------------------------

    @Override
    public boolean switchAt(long position) {
        TransportWorker worker = connection.worker();
        worker.lock();
        try {
            state = SWITCHED;
            connection.switchAt(position);
        } catch (IOException e) {
            connection.fail(e.getMessage());
        } finally {
            worker.unlock();
        }
        return false;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length, int most) throws IOException {
        return write(sources, offset, length, false);
    }

    @Override
    public boolean writeUrgent(byte value) throws IOException {
        urgentByte.clear().put(value).flip();
        return write(urgent, 0, 1, true) > 0;
    }

    private long write(ByteBuffer[] sources, int offset, int length, boolean isUrgent) throws IOException {
        TransportWorker worker = connection.worker();
        worker.lock();
        try {
            // That the reader has left, or made room, may have arrived already.
            worker.progress();
            checkReader();
            return send(sources, offset, length, isUrgent);
        } finally {
            worker.unlock();
        }
    }

    private long send(ByteBuffer[] sources, int offset, int length, boolean isUrgent) throws IOException {
        try {
            long count = isUrgent ? send.writeUrgent(sources) : send.write(sources, offset, length);
            if (exitTold) {
                // By a shutdown hook of the application, maybe: what was said of the end is wrong by now.
                tellExit();
            }
            connection.worker().countSent(count);
            connection.worker().events().attendIfPending();
            return count;
        } catch (IOException e) {
            connection.fail(e.getMessage());
            throw e instanceof SocketException ? e : new SocketException("Connection reset");
        }
    }

    private void checkReader() throws SocketException {
        if (readerLeft != 0) {
            throw new SocketException(readerLeft == Frame.READ_TO_THE_END ? "Broken pipe" : "Connection reset");
        }
        if (connection.failure() != null) {
            throw new SocketException(connection.failure());
        }
        if (connection.isSocketEnded()) {
            // A reader that left in order said so before.
            connection.worker().drain();
            throw new SocketException(readerLeft == Frame.READ_TO_THE_END ? "Broken pipe" : "Connection reset");
        }
    }

    @Override
    public boolean isWritable() {
        return send.writable() || readerLeft != 0 || connection.failure() != null || connection.isSocketEnded();
    }

    @Override
    public boolean isWritableNow() {
        connection.worker().progressIfFree();
        return isWritable();
    }

    @Override
    public boolean announces() {
        return true;
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
    public boolean end(boolean reset) {
        TransportWorker worker = connection.worker();
        worker.lock();
        try {
            state = ENDING;
            if (connection.failure() == null && readerLeft == 0) {
                send.requestEnd(reset ? Frame.RESET : Frame.FIN);
                worker.events().attendIfPending();
            }
            if (isDelivered()) {
                state = ENDED;
                connection.sinkEnded();
                return true;
            }
            giveUpInTime();
            return false;
        } catch (IOException e) {
            connection.fail(e.getMessage());
            return true;
        } finally {
            worker.unlock();
        }
    }

    /** With the lock held: the connection's source has ended, too, so that this is a closed channel's. */
    void sourceEnded() {
        giveUpInTime();
    }

    /** Only a channel that is closed is done with what it wrote: the peer of one that reads on may take as long as it likes. */
    private void giveUpInTime() {
        if (state == ENDING && connection.isSourceEnded()) {
            connection.transport().poller().schedule(connection.drainNanos(), this::giveUp);
        }
    }

    private boolean isDelivered() {
        return send.finished() && (switchKnown || !connection.isSessionAlive())
                || connection.failure() != null
                || readerLeft != 0;
    }

    /** A peer that nobody has a session with any more may be dead, and answer nothing. */
    void sessionEnded() {
        finishIfDone();
        giveUpInTime();
    }

    void switchIsKnown() {
        switchKnown = true;
        finishIfDone();
    }

    private void finishIfDone() {
        if (state == ENDING && isDelivered()) {
            finish();
        }
    }

    private void finish() {
        state = ENDED;
        Carried owner = connection.owner();
        connection.transport().poller().execute(owner::onDrained);
        connection.sinkEnded();
    }

    private void giveUp() {
        TransportWorker worker = connection.worker();
        worker.lock();
        try {
            if (state == ENDING) {
                connection.fail("What was written could not be delivered in time");
            }
        } finally {
            worker.unlock();
        }
    }

    @Override
    public void retire() {
        connection.sinkEnded();
    }

    /** At the exit of the JVM: says where the stream ends, once all of it is sent. Returns whether nothing is left to do. */
    boolean flushForExit(boolean lastCall) {
        boolean done = state == IDLE || state == ENDED || send.idle() && switchKnown;
        if (state == SWITCHED && (done || lastCall) && !exitTold) {
            exitTold = true;
            try {
                tellExit();
            } catch (IOException e) {
                connection.fail(e.getMessage());
            }
        }
        return done;
    }

    private void tellExit() throws IOException {
        connection.tell(Frame.EXIT, send.accepted(), 0);
    }
}
