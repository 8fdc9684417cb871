package org.ucxnio.stream;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingMemory;
import org.ucxnio.ring.RingOut;
import org.ucxnio.ring.Waits;

/**
 * What one end of a connection reads: from the kernel at first, from a ring once the peer has switched and all it sent before was read.
 *
 * <p>The <em>owner</em> is the holder of the channel's read lock; methods are its, unless they say that they are for any thread. The
 * state rises from KERNEL over PAIRED to RING, and falls back from PAIRED to KERNEL where the peer takes its offer back.
 */
public final class Inbound {
    private static final int KERNEL = 0;

    /** There is a ring that the peer may switch to. */
    private static final int PAIRED = 1;

    private static final int RING = 2;

    /** The channel is closed, and the ring is left. */
    private static final int LEFT = 3;

    private final Sleepers sleepers;
    private final Outbound back;
    private final Runnable onMoved;

    /** Written with the monitor held; read by any. */
    private volatile int state;

    /** Written with the monitor held before the state is PAIRED, then by the owner; read by any. */
    private volatile RingIn ring;

    /** As {@link #ring}. */
    private volatile RingMemory memory;

    private volatile boolean urgentInline;

    // -- the owner's --
    private long kernelBytes;
    private int[] positions = new int[4];
    // -- end --

    /**
     * @param back the other direction, whose switch says whether tokens can be sent
     * @param onMoved called where a selector that sleeps has to look at the ring anew
     */
    public Inbound(Futexes futexes, Tokens tokens, Outbound back, Runnable onMoved) {
        this.sleepers = new Sleepers(futexes, tokens);
        this.back = back;
        this.onMoved = onMoved;
    }

    // -- pairing: the session's thread -------------------------------------------------------------------------------

    /** From now on the peer may switch to this ring; false where it is too late for one. */
    public synchronized boolean pair(RingMemory peers, ByteBuffer block) {
        if (state != KERNEL) {
            return false;
        }
        memory = peers;
        ring = new RingIn(block);
        state = PAIRED;
        return true;
    }

    /** The peer, which has not switched, will not do so. */
    public synchronized void unpair() {
        if (state == PAIRED) {
            state = KERNEL;
        }
    }

    /** Whether the bytes come from a ring now. Any thread. */
    public boolean isRing() {
        return state == RING;
    }

    /**
     * The channel is about to be closed: takes no ring any more, if there is none.
     *
     * @return whether tokens may come over TCP
     */
    public synchronized boolean refuseRing() {
        if (state == KERNEL) {
            state = LEFT;
        }
        return state != LEFT;
    }

    public void urgentInline(boolean inline) {
        urgentInline = inline;
    }

    // -- from the kernel ---------------------------------------------------------------------------------------------

    /** Before a read from the kernel: takes note of where the buffers stand. */
    public void beforeKernel(ByteBuffer[] targets, int offset, int length) {
        if (positions.length < length) {
            positions = new int[length];
        }
        for (int i = 0; i < length; i++) {
            positions[i] = targets[offset + i].position();
        }
    }

    /**
     * Where everything that came before the peer's switch was read, goes over to the ring.
     *
     * @return whether the bytes come from the ring now
     */
    public boolean reachSwitch() {
        return state == RING || state == PAIRED && kernelBytes == switchedAt() && enterRing();
    }

    /** The peer's switch, -1 where there is none yet. */
    private long switchedAt() {
        RingIn looked = ring;
        long position = looked.switchedAt();
        // A block whose offer was taken back may be another connection's by now.
        return state == PAIRED ? position : -1;
    }

    private synchronized boolean enterRing() {
        if (state == PAIRED) {
            state = RING;
        }
        return state == RING;
    }

    /**
     * Behind a read from the kernel: takes back what were no bytes of the stream, and goes over to the ring where that is due.
     *
     * @param count bytes read, more than 0
     * @return how many of them are the application's
     */
    public long tookFromKernel(long count, ByteBuffer[] targets, int offset, int length) {
        long switched = state == PAIRED ? switchedAt() : -1;
        long tokens = switched < 0 ? 0 : Math.max(0, kernelBytes + count - switched);
        if (tokens > 0) {
            takeBack(tokens, targets, offset, length);
        }
        kernelBytes += count - tokens;
        if (kernelBytes == switched) {
            enterRing();
        }
        return count - tokens;
    }

    private void takeBack(long tokens, ByteBuffer[] targets, int offset, int length) {
        long left = tokens;
        for (int i = length - 1; i >= 0 && left > 0; i--) {
            ByteBuffer target = targets[offset + i];
            int piece = (int) Math.min(left, target.position() - positions[i]);
            target.position(target.position() - piece);
            left -= piece;
        }
    }

    // -- from the ring -----------------------------------------------------------------------------------------------

    /**
     * Reads what is there.
     *
     * @return bytes read, 0 where there are none now, -1 at the end of the stream
     * @throws SocketException where the peer has broken the stream off
     */
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        while (true) {
            RingIn from = ring;
            long count = from.read(targets, offset, length, urgentInline);
            if (from.isPublishDue()) {
                wakeWriter(from, from.publish());
            }
            if (count > 0 || !from.hasRecord()) {
                return count;
            }
            if (from.isAtEnd()) {
                return -1;
            }
            if (from.isAtReset()) {
                throw new SocketException("Connection reset");
            }
            if (!from.isMoved()) {
                // Urgent bytes that nobody reads were passed over, and more has come behind them.
                continue;
            }
            follow(from);
        }
    }

    private void follow(RingIn from) throws IOException {
        RingIn next = new RingIn(from.next(memory));
        boolean armed;
        synchronized (this) {
            armed = from.readerWaits() != Waits.NOT;
            ring = next;
            wakeWriter(from, from.takeWriterWait());
            from.letGo();
        }
        if (armed) {
            // A selector sleeps on the old ring.
            onMoved.run();
        }
    }

    /**
     * For a thread that has to know whether there is anything: goes on to the block that the stream has moved to, if it has.
     *
     * @throws IOException where that block cannot be had: the next read tells
     */
    public void followMove() throws IOException {
        while (state == RING && ring.isMoved()) {
            follow(ring);
        }
    }

    private void wakeWriter(RingIn of, int how) {
        // Bytes over TCP are tokens only behind this side's own switch.
        if (how == Waits.FUTEX || back.hasSwitched()) {
            sleepers.wake(how, of.memory(), RingOut.writerWaitsOffset());
        }
    }

    /** Whether a read would find bytes or the end of the stream. Any thread. */
    public boolean isReadable() {
        return ring.isReadable(urgentInline);
    }

    /** Whether the end of the stream is next. Any thread: a racy look. */
    public boolean isAtEnd() {
        return ring.isAtEnd();
    }

    /** Whether the stream has moved on, and only the owner can say what is there. Any thread. */
    public boolean isMoved() {
        return ring.isMoved();
    }

    /** Whether there is any record, also one that is not for the application. Any thread. */
    public boolean hasRecord() {
        return ring.hasRecord();
    }

    /** Bytes that can be read at once, at most {@link Integer#MAX_VALUE}. */
    public int available() throws IOException {
        followMove();
        return ring.available(Integer.MAX_VALUE / 2, urgentInline);
    }

    /**
     * Bytes that can be read at once while the kernel has some of them.
     *
     * @param inKernel bytes that the kernel has, tokens among them
     */
    public int availableBehind(int inKernel) {
        long switched = state == PAIRED ? switchedAt() : -1;
        if (switched < 0 || kernelBytes + inKernel < switched) {
            return inKernel;
        }
        return (int) (switched - kernelBytes) + ring.available(Integer.MAX_VALUE / 2, urgentInline);
    }

    // -- sleeping ----------------------------------------------------------------------------------------------------

    /** Whether the peer's process can wake a sleeper through memory. */
    public boolean canSleepOnRing() {
        return sleepers.hasFutex() && memory.isAlive();
    }

    /** Whether the session that the ring belongs to goes on. */
    public boolean isSessionAlive() {
        return memory.isAlive();
    }

    /**
     * Says that a thread is about to sleep and how it wants to be woken. To be followed by a look whether it has to; then {@link
     * #sleepOnRing} or a sleep in the kernel, then {@link #disarm}.
     *
     * @param how one of {@link Waits}
     * @return whether there is nothing in the ring
     */
    public boolean arm(int how) {
        RingIn on = ring;
        on.wantRecord(how);
        return !on.hasRecord();
    }

    /** Sleeps as announced by {@link #arm} with {@link Waits#FUTEX}. */
    public void sleepOnRing(long nanos) {
        sleepers.sleep(ring.memory(), RingOut.readerWaitsOffset(), nanos);
    }

    public void disarm() {
        ring.wantNothing();
    }

    /**
     * Wakes a reader that may sleep on the ring: it has to look at something else. Whatever the word says: a peer that took the reader's
     * wait away may have died before it woke it. Any thread; with the monitor held the ring is nobody else's yet.
     */
    public synchronized void wakeReader() {
        if (state == RING) {
            ring.wantNothing();
            sleepers.wakeAll(ring.memory(), RingOut.readerWaitsOffset());
        }
    }

    // -- the end -----------------------------------------------------------------------------------------------------

    /**
     * Whether bytes would be lost if nobody read any more. Any thread: a racy look.
     *
     * @param inKernel bytes that the kernel has, asked for before this: a token among them was sent behind the switch, which shows by now
     */
    public boolean hasUnread(int inKernel) {
        long switched = state == PAIRED ? switchedAt() : -1;
        if (state != RING && (switched < 0 || kernelBytes < switched)) {
            return inKernel > 0;
        }
        RingIn of = ring;
        return of.hasRecord() && !of.isAtEnd();
    }

    /**
     * The channel is closed: leaves the ring to its writer. The owner, or a thread that knows that there will be none any more.
     *
     * @param abort whether the writer has to hear of it as of a reset, whatever was read
     */
    public void leave(boolean abort) {
        synchronized (this) {
            boolean isPaired = state == PAIRED || state == RING;
            state = LEFT;
            if (isPaired) {
                leaveAll(abort);
            }
        }
    }

    /**
     * Leaves every block that the stream has gone on to. One that the writer goes on to meanwhile is its own to know of: it looks
     * whether its reader has left behind saying where it goes on, as we look where it goes on behind leaving.
     */
    private void leaveAll(boolean abort) {
        boolean unread = abort;
        RingIn last = ring;
        boolean goesOn = true;
        while (goesOn) {
            goesOn = false;
            try {
                unread |= last.skip();
                wakeWriter(last, last.leave(unread ? RingIn.LEFT_UNREAD : RingIn.READ_TO_THE_END));
                last.skip();
                if (last.isMoved()) {
                    RingIn next = new RingIn(last.next(memory));
                    last.letGo();
                    last = next;
                    goesOn = true;
                }
            } catch (IOException e) {
                // What the peer wrote cannot be followed: its writer finds out by the connection's end.
                wakeWriter(last, last.leave(RingIn.LEFT_UNREAD));
            }
        }
        last.letGo();
    }
}
