package org.ucxnio.link;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.ucxnio.counters.Counter;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingMemory;
import org.ucxnio.ring.RingOut;
import org.ucxnio.ring.Waits;

/** A stream that comes through rings, one behind the other. */
final class RingSource implements Source {
    private final RingMemory memory;
    private final Carried connection;
    private final Sleepers sleepers;

    /** Written by the owner with the monitor held; read by any. */
    private volatile RingIn ring;

    private volatile boolean urgentInline;

    /** What the ring has of a bell; null where it has none. The owner's. */
    private Bell told;

    RingSource(RingMemory memory, ByteBuffer block, Carried connection, Sleepers sleepers) {
        this.memory = memory;
        this.connection = connection;
        this.sleepers = sleepers;
        this.ring = new RingIn(block);
    }

    @Override
    public long switchedAt() {
        return ring.switchedAt();
    }

    @Override
    public boolean refuseSwitch() {
        return switchedAt() >= 0;
    }

    @Override
    public void catchUp() {
        // It is there.
    }

    @Override
    public void enter() {
        // The peer's writer publishes everything by itself.
    }

    @Override
    public void urgentInline(boolean inline) {
        urgentInline = inline;
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        while (true) {
            RingIn from = ring;
            long count = from.read(targets, offset, length, urgentInline);
            took(from, count);
            if (count > 0 || !from.hasRecord()) {
                return count;
            }
            if (from.isAtEnd()) {
                return -1;
            }
            if (from.isAtReset()) {
                throw new SocketException("Connection reset");
            }
            if (from.isBack(urgentInline)) {
                return 0;
            }
            if (!from.isMoved()) {
                // Urgent bytes that nobody reads were passed over, and more has come behind them.
                continue;
            }
            follow(from);
        }
    }

    @Override
    public int readAtOnce(ByteBuffer target) throws IOException {
        RingIn from = ring;
        int count = from.read(target, urgentInline);
        took(from, count);
        return count;
    }

    private void took(RingIn from, long count) {
        if (from.isPublishDue()) {
            wakeWriter(from, from.publish());
        }
        if (count > 0) {
            Counter.RING_BYTES_RECEIVED.add(count);
        }
    }

    private void follow(RingIn from) throws IOException {
        RingIn next = new RingIn(from.next(memory));
        boolean armed;
        synchronized (this) {
            armed = from.readerWaits() != Waits.NOT;
            ring = next;
            told = null;
            wakeWriter(from, from.takeWriterWait());
            from.letGo();
        }
        if (armed) {
            // A selector sleeps on the old ring.
            connection.onReady();
        }
    }

    /** Goes on to the block that the stream has moved to, if it has. */
    @Override
    public void update() throws IOException {
        while (ring.isMoved()) {
            follow(ring);
        }
    }

    @Override
    public boolean isBack() {
        return ring.isBack(urgentInline);
    }

    @Override
    public boolean isEndedBack() {
        return ring.isEndedBack();
    }

    @Override
    public void goneBack() {
        ring.letGo();
    }

    private void wakeWriter(RingIn of, int how) {
        // Bytes over TCP are tokens only behind this side's own switch.
        if (how == Waits.FUTEX || connection.hasSwitched()) {
            sleepers.wake(how, of.memory(), RingOut.writerWaitsOffset());
        }
    }

    @Override
    public boolean isReadable() {
        return ring.isReadable(urgentInline);
    }

    @Override
    public boolean isAtEnd() {
        return ring.isAtEnd();
    }

    @Override
    public boolean isStale() {
        return ring.isMoved();
    }

    @Override
    public boolean hasSomething() {
        return ring.hasRecord();
    }

    @Override
    public int available() {
        return ring.available(Integer.MAX_VALUE / 2, urgentInline);
    }

    @Override
    public boolean announces() {
        return false;
    }

    @Override
    public boolean isSessionAlive() {
        return memory.isAlive();
    }

    /** What was written before the socket ended is in the ring by now. */
    @Override
    public boolean isOver() {
        return true;
    }

    @Override
    public boolean hasExited() {
        return ring.hasExited();
    }

    /** A virtual thread would hold on to its carrier. */
    @Override
    public boolean canSleep(boolean virtualThread) {
        return !virtualThread && sleepers.hasFutex() && memory.isAlive();
    }

    @Override
    public boolean arm(int how) {
        RingIn on = ring;
        on.wantRecord(how);
        return !on.hasRecord();
    }

    @Override
    public boolean arm(Bell bell) {
        RingIn on = ring;
        if (bell != told) {
            on.tellBell(bell.process(), bell.pipe(), bell.name());
            told = bell;
        }
        on.wantRecord(Waits.bell(bell.descriptor()));
        return !on.hasRecord();
    }

    @Override
    public void sleep(long nanos) {
        sleepers.sleep(ring.memory(), RingOut.readerWaitsOffset(), nanos);
    }

    @Override
    public void disarm() {
        ring.wantNothing();
    }

    /**
     * {@inheritDoc} Whatever the word says: a peer that took the reader's wait away may have died before it woke it. With the monitor held
     * the ring is nobody else's yet.
     */
    @Override
    public synchronized void wake() {
        ring.wantNothing();
        sleepers.wakeAll(ring.memory(), RingOut.readerWaitsOffset());
    }

    @Override
    public boolean hasUnread() {
        RingIn of = ring;
        return of.hasRecord() && !of.isAtEnd() && !of.isBack(urgentInline);
    }

    /**
     * Leaves every block that the stream has gone on to. One that the writer goes on to meanwhile is its own to know of: it looks
     * whether its reader has left behind saying where it goes on, as we look where it goes on behind leaving.
     */
    @Override
    public void leave(boolean abort) {
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
