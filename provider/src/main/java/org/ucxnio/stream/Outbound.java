package org.ucxnio.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.ucxnio.link.Carried;
import org.ucxnio.link.Lane;
import org.ucxnio.link.Sink;
import org.ucxnio.link.Tokens;

/**
 * What one end of a connection writes: to the kernel at first, to a link once it has switched, to the kernel again where the link has
 * no room and no memory for more.
 *
 * <p>The <em>owner</em> is the holder of the channel's write lock; methods are its, unless they say that they are for any thread.
 */
public final class Outbound {
    private static final int KERNEL = 0;

    /** There is a link; the next write goes there. */
    private static final int PAIRED = 1;

    private static final int LINK = 2;

    /** The stream has ended on the link. */
    private static final int LINK_ENDED = 3;

    /** The stream has left the link for the kernel, for good. */
    private static final int BACK = 4;

    /** The channel is closed, and the kernel has the stream's end. */
    private static final int ENDED = 5;

    private final Tokens tokens;

    /** Written with the monitor held, read by any. */
    private volatile int state;

    /** Written with the monitor held before the state is PAIRED; read by any. */
    private volatile Sink sink;

    /** The kernel has the stream for good: it was shut down there, or urgent data went there. Written with the monitor held. */
    private boolean pinned;

    /** The token that tells of the switch, or of the way back, is due and had no room yet. Written by the owner. */
    private volatile boolean tokenOwed;

    /** It is the last token that is owed: the link is not given back yet. Written by the owner with the monitor held. */
    private volatile boolean lastOwed;

    /** The link has the stream's end, but not the peer. Cleared by any thread. */
    private volatile boolean draining;

    /** The owner's. */
    private long kernelBytes;

    public Outbound(Tokens tokens) {
        this.tokens = tokens;
    }

    // -- pairing and the switch --------------------------------------------------------------------------------------

    /** The session's thread: from now on the next write switches; false where it is too late for that. */
    public synchronized boolean pair(Lane lane, Carried connection) {
        if (state != KERNEL || pinned) {
            return false;
        }
        sink = lane.sink(connection);
        state = PAIRED;
        return true;
    }

    /** Whether there is nothing but the kernel to write to. Any thread. */
    public boolean isKernelAlone() {
        return state == KERNEL;
    }

    /** Whether the next write is to switch. Any thread. */
    public boolean isPaired() {
        return state == PAIRED;
    }

    /** Whether the bytes go to a link. Any thread. */
    public boolean isLinked() {
        return state == LINK;
    }

    /** Whether everything that goes over TCP from now on is a token. Any thread. */
    public boolean hasSwitched() {
        int now = state;
        return now == LINK || now == LINK_ENDED;
    }

    /** Whether the stream has left the link for the kernel. Any thread. */
    public boolean isBack() {
        return state == BACK;
    }

    /** Whether the token that tells of the switch, or of the way back, could not be sent yet. Any thread. */
    public boolean isTokenOwed() {
        return tokenOwed;
    }

    /** Bytes went to the kernel. */
    public void gaveToKernel(long count) {
        kernelBytes += count;
    }

    /** Whether any did. The writer's. */
    public boolean usedKernel() {
        return kernelBytes > 0;
    }

    /** The stream stays with the kernel, unless it has left it. Any thread. */
    public synchronized void pin() {
        pinned = true;
        if (state == PAIRED) {
            state = KERNEL;
            sink.retire();
            sink = null;
        }
    }

    /**
     * The link has failed: the stream stays with the kernel, unless it has left it.
     *
     * @return whether it stays. Any thread.
     */
    public synchronized boolean stayInKernel() {
        pin();
        return state != LINK && state != LINK_ENDED;
    }

    /**
     * The channel is closed: takes no link any more, where there has never been one.
     *
     * @return whether there has been none. Any thread.
     */
    public synchronized boolean endPlain() {
        if (state != KERNEL) {
            return false;
        }
        pinned = true;
        state = ENDED;
        return true;
    }

    /** Switches, where there is a link. */
    public void switchNow() {
        boolean known;
        synchronized (this) {
            if (state != PAIRED) {
                return;
            }
            // First: a token that anybody sends from now on must find a peer that knows.
            known = sink.switchAt(kernelBytes);
            state = LINK;
        }
        // Not before it has failed: selections that go on meanwhile would find no room.
        if (known && !tokens.sendBehindStream()) {
            tokenOwed = true;
        }
    }

    /** The peer knows of the switch, which {@link #switchNow} tells it first: on return this side's state says so, too. Any thread. */
    public synchronized void awaitSwitch() {
        assert state != PAIRED;
    }

    /** Sends the token that tells of the switch, or of the way back, if it was not; false where it has no room still. */
    public boolean payToken() {
        if (tokenOwed && !lastOwed && tokens.sendBehindStream()) {
            tokenOwed = false;
        }
        if (tokenOwed && lastOwed && tokens.sendLast()) {
            paidLast();
        }
        return !tokenOwed;
    }

    private synchronized void paidLast() {
        lastOwed = false;
        tokenOwed = false;
        sink.retire();
    }

    // -- the way back ------------------------------------------------------------------------------------------------

    /**
     * Goes back to the kernel, where the last write to the link found no room, nor memory for more. The link says so first, so that
     * whoever meets the last token finds it there. Nothing goes to the kernel before that token: see {@link #payToken}.
     *
     * @param waited as in {@link Sink#isCramped}
     * @return whether the stream is the kernel's now
     */
    public boolean goBack(boolean waited) {
        if (tokenOwed || !sink.isCramped(waited)) {
            return false;
        }
        synchronized (this) {
            if (state != LINK || !sink.goBack()) {
                return false;
            }
            lastOwed = true;
            tokenOwed = true;
            state = BACK;
        }
        payToken();
        return true;
    }

    /** The stream ends in the kernel, whose output is shut down next. Any thread. */
    public synchronized void endInKernel() {
        pin();
        if (lastOwed) {
            // The peer finds neither a last token nor anything behind it.
            sink.endBack();
        }
    }

    // -- writing to the link -----------------------------------------------------------------------------------------

    /** As {@link Sink#write}. */
    public long write(ByteBuffer[] sources, int offset, int length, int most) throws IOException {
        return tokenOwed && !payToken() ? 0 : sink.write(sources, offset, length, most);
    }

    /** As {@link Sink#writeAtOnce}; 0 also where there is no link. */
    public int writeAtOnce(ByteBuffer source) throws IOException {
        return state == LINK && !tokenOwed ? sink.writeAtOnce(source) : 0;
    }

    /** As {@link Sink#writeFile}; 0 also where the link may not be written to. */
    public int writeFile(FileChannel file, long position, long count, int most) throws IOException {
        return state == LINK && !tokenOwed ? sink.writeFile(file, position, count, most) : 0;
    }

    /** A byte of urgent data; false where there is no room. */
    public boolean writeUrgent(byte value) throws IOException {
        return sink.writeUrgent(value);
    }

    /** Whether a write would move something, or throw. Any thread. */
    public boolean isWritable() {
        return !tokenOwed && sink.isWritable();
    }

    /** Whether a write would move something now, or throw: for a thread that spins. Any thread. */
    public boolean isWritableNow() {
        return !tokenOwed && sink.isWritableNow();
    }

    // -- sleeping ----------------------------------------------------------------------------------------------------

    /** Whether selectors are told when there is room again. Any thread. */
    public boolean announces() {
        return sink.announces();
    }

    /** As {@link Sink#canSleep}. */
    public boolean canSleep(boolean virtualThread) {
        return sink.canSleep(virtualThread);
    }

    /** As {@link Sink#arm}. */
    public boolean arm(int how) {
        return sink.arm(how);
    }

    /** As {@link Sink#sleep}. */
    public void sleep(long nanos) {
        sink.sleep(nanos);
    }

    public void disarm() {
        if (state == LINK) {
            sink.disarm();
        }
    }

    /** Wakes a writer that may sleep. Any thread; with the monitor held the link is ours still. */
    public synchronized void wakeWriter() {
        if (state == LINK) {
            sink.wake();
        }
    }

    // -- the end -----------------------------------------------------------------------------------------------------

    /** As {@link Sink#exits}. Any thread; with the monitor held the link is ours still. */
    public synchronized void exits() {
        if (state == PAIRED || state == LINK) {
            sink.exits();
        }
    }

    /**
     * Ends the stream where it is on the link. The owner, or a thread that knows that there will be none any more.
     *
     * @param reset it is broken off
     */
    public synchronized void endLink(boolean reset) {
        pinned = true;
        if (state == LINK) {
            draining = true;
            state = LINK_ENDED;
            if (sink.end(reset)) {
                draining = false;
            }
        } else if (state == PAIRED) {
            sink.retire();
            state = ENDED;
        } else if (state == KERNEL || state == BACK) {
            state = ENDED;
        }
    }

    /** The link has delivered all. Any thread. */
    public void drained() {
        draining = false;
    }

    /** Whether the link still has something for the peer, and the socket has to stay. Any thread. */
    public boolean isDraining() {
        return draining;
    }
}
