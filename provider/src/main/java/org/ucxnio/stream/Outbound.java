package org.ucxnio.stream;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.ucxnio.ring.Block;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingMemory;
import org.ucxnio.ring.RingOut;
import org.ucxnio.ring.Waits;

/**
 * What one end of a connection writes: to the kernel at first, to a ring once it has switched.
 *
 * <p>The <em>owner</em> is the holder of the channel's write lock; methods are its, unless they say that they are for any thread.
 */
public final class Outbound {
    /** The largest ring that is made without having waited for room. */
    public static final int EASY_BYTES = 256 << 10;

    /** The largest ring: about what two kernels' TCP buffers take, for programs that write a lot before they read. */
    public static final int MAX_BYTES = 4 << 20;

    private static final int KERNEL = 0;

    /** There is a ring; the next write goes there. */
    private static final int PAIRED = 1;

    private static final int RING = 2;

    /** The stream has ended in the ring, which is retired. */
    private static final int RING_ENDED = 3;

    /** The channel is closed, and the kernel has the stream's end. */
    private static final int ENDED = 4;

    private static final int GROWTH = 4;
    private static final long GROW_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Sleepers sleepers;
    private final Tokens tokens;

    /** Written with the monitor held, read by any. */
    private volatile int state;

    /** Written with the monitor held before the state is PAIRED, then by the owner with the monitor held; read by any. */
    private volatile RingOut ring;

    /** Written with the monitor held before the state is PAIRED. */
    private volatile RingMemory memory;

    /** The kernel has the stream for good: it was shut down there, or urgent data went there. Written with the monitor held. */
    private boolean pinned;

    /** A larger ring could not be had for the last write. Written by the owner. */
    private volatile boolean growthFailed;

    /** How the reader left a block that the stream has gone on from; 0 where it did not. Written by the owner. */
    private volatile int readerLeft;

    /** The token that tells of the switch had no room yet. Written by the owner. */
    private volatile boolean tokenOwed;

    // -- the owner's --
    private long kernelBytes;

    /** When a larger ring is tried again, where one could not be had. */
    private long growAfter = System.nanoTime();
    // -- end --

    public Outbound(Futexes futexes, Tokens tokens) {
        this.sleepers = new Sleepers(futexes, tokens);
        this.tokens = tokens;
    }

    // -- pairing and the switch --------------------------------------------------------------------------------------

    /** The session's thread: from now on the next write switches; false where it is too late for that. */
    public synchronized boolean pair(RingMemory own, Block block) {
        if (state != KERNEL || pinned) {
            return false;
        }
        memory = own;
        ring = new RingOut(block);
        state = PAIRED;
        return true;
    }

    /** Whether the next write is to switch. Any thread. */
    public boolean isPaired() {
        return state == PAIRED;
    }

    /** Whether the bytes go to a ring. Any thread. */
    public boolean isRing() {
        return state == RING;
    }

    /** Whether everything that goes over TCP from now on is a token. Any thread. */
    public boolean hasSwitched() {
        int now = state;
        return now == RING || now == RING_ENDED;
    }

    /** Whether the token that tells of the switch could not be sent yet. Any thread. */
    public boolean isTokenOwed() {
        return tokenOwed;
    }

    /** Bytes went to the kernel. */
    public void gaveToKernel(long count) {
        kernelBytes += count;
    }

    /** The stream stays with the kernel, unless it has left it. */
    public synchronized void pin() {
        pinned = true;
        if (state == PAIRED) {
            state = KERNEL;
            memory.retire(ring.block());
            ring = null;
        }
    }

    /** Switches, where there is a ring. The peer, which looks at the ring by now, takes from the kernel what went there before. */
    public void switchNow() {
        synchronized (this) {
            if (state != PAIRED) {
                return;
            }
            ring.switchAt(kernelBytes);
            state = RING;
        }
        tokenOwed = true;
        payToken();
    }

    /** Sends the token that tells of the switch, if it was not; false where it has no room still. */
    public boolean payToken() {
        if (tokenOwed && tokens.send()) {
            tokenOwed = false;
        }
        return !tokenOwed;
    }

    // -- writing to the ring -----------------------------------------------------------------------------------------

    /**
     * Writes as much as there is room for, in this ring or a larger one.
     *
     * @param maxRing the largest ring to make, in bytes
     * @return bytes written
     * @throws SocketException where nobody will read them
     */
    public long write(ByteBuffer[] sources, int offset, int length, int maxRing) throws IOException {
        checkReader();
        if (tokenOwed && !payToken()) {
            return 0;
        }
        long wanted = 0;
        for (int i = offset; i < offset + length; i++) {
            wanted += sources[i].remaining();
        }
        RingOut to = ring;
        long count = to.write(sources, offset, length, wanted);
        while (count < wanted && grow(wanted - count, maxRing)) {
            count += ring.write(sources, offset, length, wanted - count);
        }
        if (count > 0) {
            wakeReader(ring);
        }
        return count;
    }

    /** A byte of urgent data; false where there is no room. */
    public boolean writeUrgent(byte value) throws IOException {
        checkReader();
        boolean written = ring.writeUrgent(value) || grow(1, MAX_BYTES) && ring.writeUrgent(value);
        if (written) {
            wakeReader(ring);
        }
        return written;
    }

    private void wakeReader(RingOut of) {
        int how = of.takeReaderWait();
        if (how != Waits.NOT) {
            sleepers.wake(how, of.block().memory(), RingOut.readerWaitsOffset());
        }
    }

    private void checkReader() throws SocketException {
        int left = readerLeft();
        if (left != 0) {
            throw new SocketException(left == RingIn.READ_TO_THE_END ? "Broken pipe" : "Connection reset");
        }
        if (!memory.isAlive()) {
            tokens.send();
        }
        if (tokens.isEnded()) {
            throw new SocketException("Connection reset");
        }
    }

    private int readerLeft() {
        return readerLeft == 0 ? ring.readerLeft() : readerLeft;
    }

    /** Makes the ring that the stream goes on in; false where it has to wait for room in this one. */
    private boolean grow(long more, int maxRing) {
        RingOut full = ring;
        growthFailed = System.nanoTime() - growAfter < 0 || !memory.isAlive();
        if (full.bytes() >= maxRing || growthFailed) {
            return false;
        }
        int bytes = full.bytes() * GROWTH;
        while (bytes < maxRing && bytes / 2 < more) {
            bytes *= GROWTH;
        }
        Block block;
        try {
            block = memory.allocate(Math.min(bytes, maxRing));
        } catch (IOException e) {
            block = null;
        }
        if (block == null) {
            growthFailed = true;
            growAfter = System.nanoTime() + GROW_AGAIN_NANOS;
            return false;
        }
        full.moveTo(block);
        synchronized (this) {
            ring = new RingOut(block);
        }
        wakeReader(full);
        if (full.readerLeft() != 0) {
            // It may have left before it could see where the stream goes on.
            readerLeft = full.readerLeft();
        }
        memory.retire(full.block());
        return true;
    }

    /** Whether a write would move something, or throw. Any thread. */
    public boolean isWritable() {
        return !tokenOwed && (isWritableNow() || ring.bytes() < MAX_BYTES && !growthFailed);
    }

    /** Whether there is room in this ring, or never will be. Any thread. */
    public boolean isWritableNow() {
        RingOut of = ring;
        return of.hasRoom() || readerLeft() != 0 || tokens.isEnded();
    }

    // -- sleeping ----------------------------------------------------------------------------------------------------

    /** Whether the peer's process can wake a sleeper through memory. */
    public boolean canSleepOnRing() {
        return sleepers.hasFutex() && memory.isAlive();
    }

    /**
     * Says that a thread is about to sleep until there is room.
     *
     * @param how one of {@link Waits}
     * @return whether a write would not move anything now
     */
    public boolean arm(int how) {
        RingOut on = ring;
        on.wantRoom(how);
        return !on.hasRoom() && readerLeft() == 0;
    }

    /** Sleeps as announced by {@link #arm} with {@link Waits#FUTEX}. */
    public void sleepOnRing(long nanos) {
        sleepers.sleep(ring.block().memory(), RingOut.writerWaitsOffset(), nanos);
    }

    public void disarm() {
        if (state == RING && ring.writerWaits() != Waits.NOT) {
            ring.wantRoom(Waits.NOT);
        }
    }

    /** Wakes a writer that may sleep, as {@link Inbound#wakeReader} does a reader. Any thread; with the monitor held the ring is ours still. */
    public synchronized void wakeWriter() {
        if (state == RING) {
            ring.wantRoom(Waits.NOT);
            sleepers.wakeAll(ring.block().memory(), RingOut.writerWaitsOffset());
        }
    }

    // -- the end -----------------------------------------------------------------------------------------------------

    /**
     * Ends the stream where it is in the ring. The owner, or a thread that knows that there will be none any more.
     *
     * @param reset it is broken off
     */
    public synchronized void endRing(boolean reset) {
        pinned = true;
        if (state == RING) {
            ring.end(reset);
            wakeReader(ring);
            memory.retire(ring.block());
            state = RING_ENDED;
        } else if (state == PAIRED) {
            memory.retire(ring.block());
            state = ENDED;
        } else if (state == KERNEL) {
            state = ENDED;
        }
    }
}
