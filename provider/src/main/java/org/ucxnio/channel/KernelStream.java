package org.ucxnio.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.counters.Counter;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.KernelSockets;
import org.ucxnio.loop.Spinner;
import org.ucxnio.ring.Block;
import org.ucxnio.ring.RingMemory;
import org.ucxnio.ring.Waits;
import org.ucxnio.session.Movable;
import org.ucxnio.stream.Inbound;
import org.ucxnio.stream.Outbound;
import org.ucxnio.stream.Tokens;

/**
 * The bytes of a connection that begins as the kernel's and may move to rings, each direction for itself.
 *
 * <p><b>Locks.</b> Inbound is owned by the holder of the channel's read lock, outbound by that of its write lock. Selecting threads and
 * the session's try for these locks and never wait. Closing, and the end of the output, happen where the lock is free; where it is not,
 * its holder does what is due behind its unlock ({@link #settle}): the one who asks raises {@link #due} before it tries the lock, and
 * the holder reads it after having let go.
 *
 * <p><b>Torn rings.</b> A peer of the same user that is hostile, or has gone wrong, may cut the file of a ring short. The JVM throws an
 * {@link InternalError} where memory is touched that has gone, or a little later. It is taken here, so that it breaks this connection
 * and not the thread that serves it: {@link #tear}.
 */
final class KernelStream implements ByteStream, Movable {
    private static final String OTHER_HOST = "peer on another host that is not trusted";
    private static final String RESET = "Connection reset";

    /** The longest pause, and half of the longest time, that a closed connection's socket waits for a peer that does not read. */
    private static final int MAX_DELIVERY_MILLIS = 1 << 11;

    /** How often a side that does not write tries to switch, a millisecond apart. */
    private static final int SWITCH_TRIES = 100;

    private final UcxSocketChannel owner;
    private final SocketChannel kernel;
    private final ChannelServices services;
    private final ReentrantLock readLock;
    private final ReentrantLock writeLock;
    private final Listeners listeners;
    private final boolean opened;
    private final Tokens tokens;
    private final Outbound out;
    private final Inbound in;
    private final StreamReader reader;
    private final StreamWriter writer;
    private final BrokenStream broken = new BrokenStream();
    private final InetSocketAddress local;
    private final InetSocketAddress remote;
    private final boolean onThisHost;

    /** Calls that moved bytes; a lost count does no harm. */
    private int uses;

    /** The output or the channel is to be ended by whoever finds its lock free. Only rises. */
    private volatile boolean due;

    private volatile boolean outputEnds;
    private volatile boolean closes;
    private volatile boolean aborts;

    /** The kernel socket's output is to be shut down before it is closed. */
    private volatile boolean endsFirst;

    /** What is due was done; written with the write lock, or the read lock, held. */
    private volatile boolean outputEnded;

    private volatile boolean kernelClosed;
    private volatile boolean left;

    /** The memory of a ring has gone; nobody touches a ring any more, and the connection is reset. Only rises. */
    private volatile boolean torn;

    // -- guarded by this --
    private String plainReason;
    private boolean inRing;
    private boolean closed;
    // -- end --

    /** @param opened whether this process connected, and did not accept */
    KernelStream(UcxSocketChannel owner, SocketChannel kernel, ChannelServices services, String reason, boolean opened)
            throws IOException {
        this.owner = owner;
        this.kernel = kernel;
        this.services = services;
        this.readLock = owner.readLock();
        this.writeLock = owner.writeLock();
        this.listeners = owner.listeners();
        this.opened = opened;
        this.local = (InetSocketAddress) kernel.getLocalAddress();
        this.remote = (InetSocketAddress) kernel.getRemoteAddress();
        this.onThisHost =
                remote.getAddress().isLoopbackAddress() || remote.getAddress().equals(local.getAddress());
        this.plainReason = onThisHost || !reason.equals(services.plainReason()) ? reason : OTHER_HOST;
        tokens = new Tokens(kernel);
        out = new Outbound(KernelSockets::futex, tokens);
        in = new Inbound(KernelSockets::futex, tokens, out, listeners::onReady);
        reader = new StreamReader(this, owner, kernel, in, tokens, new Spinner(services.governor()));
        writer = new StreamWriter(this, owner, kernel, out, tokens, new Spinner(services.governor()));
        services.plainConnections().opened(plainReason);
    }

    /** Behind the construction, once the channel is what it will be: others may speak of the connection. */
    void begin() {
        if (services.host() == null || !onThisHost) {
            uses = Integer.MAX_VALUE;
        } else if (!opened) {
            accepted();
        } else if (services.switchAfter() == 0) {
            request();
        }
    }

    /** Where there is no memory for that the connection stays plain, and the call that it was accepted by goes on. */
    private void accepted() {
        try {
            services.host().accepted(this);
        } catch (OutOfMemoryError e) {
            Log.debug("A connection stays plain for want of memory");
        }
    }

    /** Where there is no memory for that it is asked for again once the connection was used as much once more. */
    private void request() {
        try {
            services.host().request(this);
        } catch (OutOfMemoryError e) {
            uses = 0;
        }
    }

    /** A call has moved bytes over the kernel. */
    void used() {
        if (opened && uses < services.switchAfter() && ++uses == services.switchAfter()) {
            request();
        }
    }

    BrokenStream broken() {
        return broken;
    }

    // -- bytes -------------------------------------------------------------------------------------------------------

    @Override
    public long read(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        if (!torn) {
            try {
                return reader.read(targets, offset, length, timeoutNanos);
            } catch (InternalError e) {
                tear(e);
            }
        }
        return broken.onRead(unlessClosed(new SocketException(RESET)));
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (!torn) {
            try {
                return writer.write(sources, offset, length);
            } catch (InternalError e) {
                tear(e);
            }
        }
        return broken.onWrite(unlessClosed(new SocketException(RESET)), sources, offset, length);
    }

    @Override
    public void writeUrgent(byte data) throws IOException {
        if (!torn) {
            try {
                writer.writeUrgent(data);
                return;
            } catch (InternalError e) {
                tear(e);
            }
        }
        throw unlessClosed(new SocketException(RESET));
    }

    @Override
    public void setUrgentInline(boolean inline) throws IOException {
        in.urgentInline(inline);
        kernel.socket().setOOBInline(inline);
    }

    @Override
    public int available() throws IOException {
        if (!readLock.tryLock()) {
            // A reader is at it, and takes what there is.
            return in.isRing() ? 0 : inKernel();
        }
        try {
            return torn ? 0 : reader.reachesSwitch() ? in.available() : in.availableBehind(inKernel());
        } catch (InternalError e) {
            tear(e);
            return 0;
        } finally {
            readLock.unlock();
            settle();
        }
    }

    private int inKernel() throws IOException {
        return owner.isInputShutdown() ? 0 : kernel.socket().getInputStream().available();
    }

    /** The failure, unless the channel was closed meanwhile, by another thread or an interrupt, which is what the call failed of. */
    <E extends IOException> E unlessClosed(E failure) throws IOException {
        closeOwner();
        if (!owner.isOpen()) {
            throw new AsynchronousCloseException();
        }
        return failure;
    }

    /** The kernel channel closes itself when a thread in it is interrupted; ours must not stay open without it. */
    void closeOwner() throws IOException {
        if (!kernel.isOpen()) {
            owner.close();
        }
    }

    // -- torn rings --------------------------------------------------------------------------------------------------

    /** The memory of a ring has gone. */
    private void tear(InternalError cause) {
        torn = true;
        Log.debug("A connection is reset, as its peer has taken the memory of its ring away", cause);
        tokens.end();
        listeners.onReady();
    }

    /** Does something with rings, unless their memory has gone. */
    private void touch(Runnable what) {
        if (!torn) {
            try {
                what.run();
                surface();
            } catch (InternalError e) {
                tear(e);
            }
        }
    }

    /** Has the JVM throw here what it would throw a little later: it does so behind a call of its own. */
    private void surface() {
        Thread.holdsLock(this);
    }

    // -- pairing -----------------------------------------------------------------------------------------------------

    @Override
    public InetSocketAddress local() {
        return local;
    }

    @Override
    public InetSocketAddress remote() {
        return remote;
    }

    @Override
    public boolean isEstablished() {
        return owner.isOpen()
                && !owner.isInputShutdown()
                && !owner.isOutputShutdown()
                && KernelSockets.isEstablished(kernel);
    }

    @Override
    public boolean hear(RingMemory memory, ByteBuffer peerBlock) {
        MovingNeeds.load();
        return in.pair(memory, peerBlock);
    }

    @Override
    public void unhear() {
        in.unpair();
    }

    @Override
    public boolean speak(RingMemory memory, Block block) {
        if (!out.pair(memory, block)) {
            return false;
        }
        trySwitch(SWITCH_TRIES);
        return true;
    }

    /**
     * Switches where no write is under way and the kernel has delivered everything: a byte into a full socket would make this thread
     * wait. Tries again a little later, as a side that only reads would never do it.
     */
    private void trySwitch(int tries) {
        if (writeLock.tryLock()) {
            try {
                if (out.isPaired() && KernelSockets.unconfirmedBytes(kernel) == 0) {
                    touch(writer::switchNow);
                }
            } finally {
                writeLock.unlock();
                settle();
            }
        }
        if (out.isPaired() && tries > 1) {
            Nudges.soon(() -> trySwitch(tries - 1));
        }
    }

    @Override
    public void sessionEnded() {
        wakeThreads();
        listeners.onReady();
    }

    /** Threads that wait hold their locks, and look whether they have to go on behind locking them. */
    private void wakeThreads() {
        if (readLock.isLocked()) {
            touch(in::wakeReader);
        }
        if (writeLock.isLocked()) {
            touch(out::wakeWriter);
        }
    }

    @Override
    public synchronized void staysPlain(String reason) {
        if (!inRing && !closed) {
            services.plainConnections().closed(plainReason);
            plainReason = KernelSockets.unavailable() == null ? reason : KernelSockets.unavailable();
            services.plainConnections().opened(plainReason);
        }
    }

    /** Tokens were taken in where no selector was looking, one of which may sleep until they come. */
    void tookTokens() {
        listeners.onReady();
    }

    /** A direction has moved. */
    void moved() {
        synchronized (this) {
            if (!inRing && !closed) {
                inRing = true;
                services.plainConnections().closed(plainReason);
                Counter.RINGS_OPEN.increment();
                Counter.RINGS_TOTAL.increment();
                noDelay();
            }
        }
        listeners.onReady();
    }

    /** Tokens must not wait for each other's confirmation. */
    private void noDelay() {
        try {
            kernel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        } catch (IOException e) {
            // The socket is closed; no token goes there.
        }
    }

    /** Whether the kernel socket carries tokens, in one direction at least. */
    boolean hasMoved() {
        return out.hasSwitched() || in.isRing();
    }

    // -- selection ---------------------------------------------------------------------------------------------------

    int ringOps() {
        int ops = out.hasSwitched() ? SelectionKey.OP_WRITE : 0;
        if (in.isRing()) {
            // Behind the end of the output, the end of the input makes the channel ready for everything.
            ops |= owner.isOutputShutdown() ? SelectionKey.OP_READ | SelectionKey.OP_CONNECT : SelectionKey.OP_READ;
        }
        return ops;
    }

    int kernelOps(int interest) {
        if (interest == 0) {
            return 0;
        }
        int ops = interest & ~(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        if (!in.isRing()) {
            ops |= interest & SelectionKey.OP_READ;
        } else if (!tokens.isEnded()) {
            ops |= SelectionKey.OP_READ;
        }
        if (!out.hasSwitched()) {
            ops |= interest & SelectionKey.OP_WRITE;
        } else if (out.isTokenOwed()) {
            ops |= SelectionKey.OP_WRITE;
        }
        return ops;
    }

    int readyOps() {
        if (!torn) {
            try {
                return readyInRings();
            } catch (InternalError e) {
                tear(e);
            }
        }
        return owner.validOps();
    }

    private int readyInRings() {
        int ops = 0;
        if (in.isRing() && isReadable()) {
            ops |= SelectionKey.OP_READ;
        }
        if (out.hasSwitched() && (!out.isRing() || out.isWritable())) {
            ops |= SelectionKey.OP_WRITE;
        }
        return isHungUp() ? owner.validOps() : ops;
    }

    /** Both directions have ended, which the kernel does not know of; it would call the socket ready for everything. */
    private boolean isHungUp() {
        if (!owner.isOutputShutdown() || !hasMoved()) {
            return false;
        }
        // Nobody may have read so far, where no selector was asked to.
        reachSwitch();
        return owner.isInputShutdown() || (in.isRing() ? in.isAtEnd() : !KernelSockets.isEstablished(kernel));
    }

    private boolean isReadable() {
        if (in.isReadable() || tokens.isEnded() || owner.isInputShutdown()) {
            return true;
        }
        if (!in.isMoved()) {
            return false;
        }
        if (!readLock.tryLock()) {
            // A reader is at it: what it leaves is looked at next.
            return true;
        }
        try {
            in.followMove();
            return in.isReadable();
        } catch (IOException e) {
            // The next read throws it.
            return true;
        } finally {
            readLock.unlock();
            settle();
        }
    }

    int onKernelReady(int ops) {
        if (!torn) {
            try {
                return takeKernelReady(ops);
            } catch (InternalError e) {
                tear(e);
            }
        }
        return ops;
    }

    private int takeKernelReady(int ops) {
        int counts = ops & ~(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        if ((ops & SelectionKey.OP_READ) != 0) {
            if (!in.isRing() && readLock.tryLock()) {
                try {
                    reader.reachesSwitch();
                } finally {
                    readLock.unlock();
                    settle();
                }
            }
            if (in.isRing()) {
                takeTokens();
            } else {
                counts |= SelectionKey.OP_READ;
            }
        }
        if ((ops & SelectionKey.OP_WRITE) != 0) {
            if (!out.hasSwitched()) {
                counts |= SelectionKey.OP_WRITE;
            } else {
                payToken();
            }
        }
        return counts;
    }

    private void takeTokens() {
        tokens.drain();
        if (listeners.areSeveral()) {
            // The others' selectors may have slept through it.
            listeners.onReady();
        }
    }

    private void payToken() {
        if (writeLock.tryLock()) {
            try {
                out.payToken();
            } finally {
                writeLock.unlock();
                settle();
            }
        }
    }

    /** Has the kernel channel become readable once a ring is ready for any of the operations; false where one is now. */
    boolean arm(int ops) {
        if (torn) {
            return false;
        }
        try {
            boolean quiet = armRings(ops);
            surface();
            return quiet;
        } catch (InternalError e) {
            tear(e);
            return false;
        }
    }

    private boolean armRings(int ops) {
        boolean quiet = (ops & (SelectionKey.OP_READ | SelectionKey.OP_CONNECT)) == 0 || !in.isRing() || armRead(ops);
        return (ops & SelectionKey.OP_WRITE) == 0 || !out.hasSwitched() ? quiet : armWrite() && quiet;
    }

    private boolean armRead(int ops) {
        if (!readLock.tryLock()) {
            return false;
        }
        try {
            in.followMove();
            // A record that is not for the application is no reason to stay awake, as it may lie there for long.
            in.arm(Waits.TOKEN);
            if ((ops & SelectionKey.OP_READ) == 0) {
                return !isHungUp();
            }
            return !in.isReadable() && !in.isMoved() && !tokens.isEnded() && !owner.isInputShutdown();
        } catch (IOException e) {
            return false;
        } finally {
            readLock.unlock();
            settle();
        }
    }

    private boolean armWrite() {
        if (!out.isRing() || !writeLock.tryLock()) {
            return false;
        }
        try {
            if (!out.isRing() || out.isWritable()) {
                return false;
            }
            if (!in.isRing()) {
                // What comes over TCP are the peer's bytes still, so that it sends no tokens.
                return Nudges.soon(listeners::onReady);
            }
            return out.arm(Waits.TOKEN) || out.isTokenOwed();
        } finally {
            writeLock.unlock();
            settle();
        }
    }

    /** The selector looks by itself again. What another one may sleep on stays. */
    void disarm() {
        if (!torn) {
            try {
                disarmRings();
                surface();
            } catch (InternalError e) {
                tear(e);
            }
        }
    }

    private void disarmRings() {
        if (in.isRing() && readLock.tryLock()) {
            try {
                if (!listeners.areSeveral()) {
                    in.disarm();
                }
            } finally {
                readLock.unlock();
                settle();
            }
        }
        if (out.isRing() && writeLock.tryLock()) {
            try {
                if (!listeners.areSeveral()) {
                    out.disarm();
                }
            } finally {
                writeLock.unlock();
                settle();
            }
        }
    }

    // -- the end -----------------------------------------------------------------------------------------------------

    @Override
    public void shutdownInput() throws IOException {
        if (in.isRing()) {
            touch(in::wakeReader);
        } else {
            kernel.shutdownInput();
        }
        // Where the output is in a ring the kernel does not know that both directions have ended.
        listeners.onReady();
    }

    @Override
    public void shutdownOutput() throws IOException {
        if (!out.isRing()) {
            out.pin();
        }
        if (!out.hasSwitched()) {
            kernel.shutdownOutput();
            return;
        }
        outputEnds = true;
        due = true;
        touch(out::wakeWriter);
        settle();
        listeners.onReady();
    }

    @Override
    public void close(boolean abort, boolean registered) throws IOException {
        synchronized (this) {
            closed = true;
            if (inRing) {
                Counter.RINGS_OPEN.decrement();
            } else {
                services.plainConnections().closed(plainReason);
            }
        }
        if (services.host() != null) {
            services.host().closed(this);
        }
        touch(this::reachSwitch);
        boolean hasTokens = in.refuseRing();
        boolean unread = hasTokens && leavesUnread();
        // The kernel sees to a reset by itself where it has both streams.
        aborts = abort || !registered && hasMoved() && unread;
        endsFirst = hasTokens && !aborts && !unread;
        closes = true;
        due = true;
        wakeThreads();
        if (!out.isRing()) {
            out.pin();
        }
        settle();
        if (!kernelClosed && !out.isRing()) {
            // A writer may wait in the kernel.
            closeKernel();
        }
    }

    private void reachSwitch() {
        if (!in.isRing() && readLock.tryLock()) {
            try {
                reader.reachesSwitch();
            } finally {
                readLock.unlock();
            }
        }
    }

    private boolean leavesUnread() {
        if (!torn) {
            try {
                boolean unread = hasUnread();
                surface();
                return unread;
            } catch (InternalError e) {
                tear(e);
            }
        }
        return true;
    }

    private boolean hasUnread() {
        return in.hasUnread(kernel.isOpen() ? KernelSockets.unreadBytes(kernel) : 0);
    }

    @Override
    public void settle() {
        if (!due) {
            return;
        }
        while (isOutputDue() && writeLock.tryLock()) {
            try {
                endOutput();
            } finally {
                writeLock.unlock();
            }
        }
        while (closes && !left && readLock.tryLock()) {
            try {
                touch(() -> in.leave(aborts));
                left = true;
            } finally {
                readLock.unlock();
            }
        }
    }

    private boolean isOutputDue() {
        return outputEnds && !outputEnded || closes && !kernelClosed;
    }

    private void endOutput() {
        outputEnded = true;
        touch(() -> out.endRing(closes && aborts));
        if (closes && !kernelClosed) {
            if (endsFirst) {
                takeLastTokens();
            }
            closeKernel();
        }
    }

    /** With the write lock held. */
    private void takeLastTokens() {
        if (readLock.tryLock()) {
            try {
                kernel.configureBlocking(false);
                tokens.drain();
            } catch (IOException | RuntimeException e) {
                Log.debug("The last wake-ups of a connection were left: " + e);
            } finally {
                readLock.unlock();
            }
        }
    }

    /**
     * A token that nobody has read, or that comes too late, makes the kernel reset the connection and throw away what it has still to send.
     * So the end of the output goes first, and the socket once the peer's kernel has all: for that one a reset is no more than a connection
     * that is gone.
     */
    private void closeKernel() {
        kernelClosed = true;
        if (!endsFirst) {
            closeNow();
            return;
        }
        try {
            kernel.shutdownOutput();
            if (!isDelivered() && readLock.isLocked()) {
                // A reader that waits there is not to wait for the peer.
                kernel.shutdownInput();
            }
        } catch (IOException e) {
            Log.debug("A socket is closed without a word: " + e.getMessage());
        }
        closeOnceDelivered(1);
    }

    /** One byte that is left is the end, which goes at once, while its confirmation may take its time. */
    private boolean isDelivered() {
        return tokens.isBroken() || KernelSockets.unconfirmedBytes(kernel) <= 1;
    }

    private void closeOnceDelivered(int delayMillis) {
        tokens.drain();
        if (isDelivered()
                || delayMillis > MAX_DELIVERY_MILLIS
                || !Nudges.later(delayMillis, () -> closeOnceDelivered(2 * delayMillis))) {
            closeNow();
        }
    }

    private void closeNow() {
        try {
            kernel.close();
        } catch (IOException e) {
            Log.debug("Closing a socket failed: " + e.getMessage());
        }
    }
}
