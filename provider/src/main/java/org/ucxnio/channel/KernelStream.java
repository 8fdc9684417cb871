package org.ucxnio.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.KernelSockets;
import org.ucxnio.link.Carried;
import org.ucxnio.link.Driver;
import org.ucxnio.link.Futexes;
import org.ucxnio.link.Home;
import org.ucxnio.link.Lane;
import org.ucxnio.link.Medium;
import org.ucxnio.link.Tokens;
import org.ucxnio.loop.Spinner;
import org.ucxnio.ring.Waits;
import org.ucxnio.session.Movable;
import org.ucxnio.stream.Inbound;
import org.ucxnio.stream.Outbound;

/**
 * The bytes of a connection that begins as the kernel's and may move to rings, each direction for itself.
 *
 * <p><b>Locks.</b> Inbound is owned by the holder of the channel's read lock, outbound by that of its write lock. Selecting threads and
 * the session's try for these locks and never wait. Closing, and the end of the output, happen where the lock is free; where it is not,
 * its holder does what is due behind its unlock ({@link #settle}): the one who asks raises {@link #due} before it tries the lock, and
 * the holder reads it after having let go.
 */
final class KernelStream implements Movable, Carried {
    private static final String OTHER_HOST = "peer on another host that is not trusted";

    private static final int MAX_TOKEN_DELAY_MILLIS = 16;

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

    /** What is due was done; written with the write lock, or the read lock, held. */
    private volatile boolean outputEnded;

    private volatile boolean kernelClosed;
    private volatile boolean kernelLeftToReader;
    private volatile boolean left;

    /** Written by the session's thread before either direction moves. */
    private volatile Medium medium;

    private volatile Driver driver;

    // -- guarded by this --
    private String plainReason;
    private boolean moved;
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
        out = new Outbound(tokens);
        in = new Inbound();
        reader = new StreamReader(this, owner, kernel, in, tokens, new Spinner(services.governor()));
        writer = new StreamWriter(this, owner, kernel, out, tokens, new Spinner(services.governor()));
        services.plainConnections().opened(plainReason);
    }

    /** Behind the construction, once the channel is what it will be: others may speak of the connection. */
    void begin() {
        if (services.host() == null || !onThisHost && !services.host().reaches(remote.getAddress())) {
            uses = Integer.MAX_VALUE;
        } else if (opened) {
            if (services.switchAfter() == 0) {
                services.host().request(this);
            }
        } else {
            services.host().accepted(this);
        }
    }

    /** A call has moved bytes over the kernel. */
    void used() {
        if (opened && uses < services.switchAfter() && ++uses == services.switchAfter()) {
            services.host().request(this);
        }
    }

    BrokenStream broken() {
        return broken;
    }

    // -- bytes -------------------------------------------------------------------------------------------------------

    long read(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        return reader.read(targets, offset, length, timeoutNanos);
    }

    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return writer.write(sources, offset, length);
    }

    void writeUrgent(byte data) throws IOException {
        writer.writeUrgent(data);
    }

    void setUrgentInline(boolean inline) throws IOException {
        in.urgentInline(inline);
        kernel.socket().setOOBInline(inline);
    }

    int available() throws IOException {
        if (!readLock.tryLock()) {
            // A reader is at it, and takes what there is.
            return in.isLinked() ? 0 : inKernel();
        }
        try {
            return reader.reachesSwitch() ? in.available() : in.availableBehind(inKernel());
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
    public Home home() {
        return owner.home();
    }

    @Override
    public boolean hear(Lane lane) {
        MovingNeeds.load();
        medium = lane.medium();
        driver = lane.driver();
        if (!in.pair(lane, this)) {
            return false;
        }
        // A selector may have to look after more than sockets from now on.
        listeners.onReady();
        return true;
    }

    @Override
    public void unhear() {
        in.unpair();
    }

    @Override
    public boolean speak(Lane lane) {
        if (!out.pair(lane, this)) {
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
                    writer.switchNow();
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

    /** What selectors have to progress for this connection; null for nothing. */
    Driver driver() {
        return driver;
    }

    // -- for the link ------------------------------------------------------------------------------------------------

    @Override
    public Tokens tokens() {
        return tokens;
    }

    @Override
    public Futexes futexes() {
        return KernelSockets::futex;
    }

    @Override
    public boolean hasSwitched() {
        return out.hasSwitched();
    }

    @Override
    public void onReady() {
        listeners.onReady();
    }

    @Override
    public void onSwitchKnown() {
        sendSwitchToken(1);
    }

    /** A reader needs it only once it has taken everything before; a byte into a full socket would make this thread wait. */
    private void sendSwitchToken(int delayMillis) {
        if (KernelSockets.unconfirmedBytes(kernel) == 0) {
            tokens.send();
        } else if (kernel.isOpen()) {
            Nudges.later(delayMillis, () -> sendSwitchToken(Math.min(2 * delayMillis, MAX_TOKEN_DELAY_MILLIS)));
        }
    }

    @Override
    public void onDrained() {
        out.drained();
        settle();
    }

    @Override
    public void onBroken() {
        tokens.end();
        try {
            kernel.shutdownOutput();
            kernel.shutdownInput();
        } catch (IOException e) {
            Log.debug("A broken connection was closed already: " + e.getMessage());
        }
        wakeThreads();
        listeners.onReady();
    }

    /** Behind a wait in vain: links that no token wakes would not hear of the peer's death otherwise. */
    void lookAtPeer() {
        boolean tells = in.isLinked()
                ? in.announces() && (out.hasSwitched() || !owner.isOutputShutdown())
                : out.hasSwitched() && out.announces() && !in.isSessionAlive();
        if (tells && !KernelSockets.isEstablished(kernel)) {
            tokens.end();
        }
    }

    /** The peer has gone, and nothing more comes from it. */
    boolean isPeerGone() {
        return tokens.isEnded() && in.isOver();
    }

    // -- the session -------------------------------------------------------------------------------------------------

    @Override
    public void sessionEnded() {
        wakeThreads();
        listeners.onReady();
    }

    /** Threads that wait hold their locks, and look whether they have to go on behind locking them. */
    private void wakeThreads() {
        if (readLock.isLocked()) {
            in.wakeReader();
        }
        if (writeLock.isLocked()) {
            out.wakeWriter();
        }
    }

    @Override
    public synchronized void staysPlain(String reason) {
        if (!moved && !closed) {
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
            if (!moved && !closed) {
                moved = true;
                services.plainConnections().closed(plainReason);
                medium.opened();
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
        return out.hasSwitched() || in.isLinked();
    }

    // -- selection ---------------------------------------------------------------------------------------------------

    int ringOps() {
        int ops = in.isLinked() && !in.announces() ? SelectionKey.OP_READ : 0;
        return out.hasSwitched() && !out.announces() ? ops | SelectionKey.OP_WRITE : ops;
    }

    int kernelOps(int interest) {
        if (interest == 0) {
            return 0;
        }
        int ops = interest & ~(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        if (!in.isLinked()) {
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
        int ops = 0;
        if (in.isLinked() && isReadable()) {
            ops |= SelectionKey.OP_READ;
        }
        if (out.hasSwitched() && (!out.isLinked() || out.isWritable())) {
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
        return owner.isInputShutdown() || in.isLinked() && in.isAtEnd();
    }

    private boolean isReadable() {
        if (in.isReadable() || isPeerGone() || owner.isInputShutdown()) {
            return true;
        }
        if (!in.isStale()) {
            return false;
        }
        if (!readLock.tryLock()) {
            // A reader is at it: what it leaves is looked at next.
            return true;
        }
        try {
            in.update();
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
        int counts = ops & ~(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        if ((ops & SelectionKey.OP_READ) != 0) {
            if (!in.isLinked() && readLock.tryLock()) {
                try {
                    reader.reachesSwitch();
                } finally {
                    readLock.unlock();
                    settle();
                }
            }
            if (in.isLinked()) {
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
        boolean quiet = (ops & SelectionKey.OP_READ) == 0 || !in.isLinked() || armRead();
        return (ops & SelectionKey.OP_WRITE) == 0 || !out.hasSwitched() ? quiet : armWrite() && quiet;
    }

    private boolean armRead() {
        if (!readLock.tryLock()) {
            return false;
        }
        try {
            in.update();
            // A record that is not for the application is no reason to stay awake, as it may lie there for long.
            in.arm(Waits.TOKEN);
            return !in.isReadable() && !in.isStale() && !tokens.isEnded() && !owner.isInputShutdown();
        } catch (IOException e) {
            return false;
        } finally {
            readLock.unlock();
            settle();
        }
    }

    private boolean armWrite() {
        if (!out.isLinked() || !writeLock.tryLock()) {
            return false;
        }
        try {
            if (!out.isLinked() || out.isWritable()) {
                return false;
            }
            if (!in.isLinked()) {
                // What comes over TCP are the peer's bytes still, so that it sends no tokens.
                Nudges.soon(listeners::onReady);
                return true;
            }
            return out.arm(Waits.TOKEN) || out.isTokenOwed();
        } finally {
            writeLock.unlock();
            settle();
        }
    }

    /** The selector looks by itself again. What another one may sleep on stays. */
    void disarm() {
        if (in.isLinked() && readLock.tryLock()) {
            try {
                if (!listeners.areSeveral()) {
                    in.disarm();
                }
            } finally {
                readLock.unlock();
                settle();
            }
        }
        if (out.isLinked() && writeLock.tryLock()) {
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

    void shutdownInput() throws IOException {
        if (in.isLinked()) {
            in.wakeReader();
            listeners.onReady();
        } else {
            kernel.shutdownInput();
        }
    }

    void shutdownOutput() throws IOException {
        if (!out.isLinked()) {
            out.pin();
        }
        if (!out.hasSwitched()) {
            kernel.shutdownOutput();
            return;
        }
        outputEnds = true;
        due = true;
        out.wakeWriter();
        settle();
    }

    void close(boolean abort, boolean registered) throws IOException {
        synchronized (this) {
            closed = true;
            if (moved) {
                medium.closed();
            } else {
                services.plainConnections().closed(plainReason);
            }
        }
        if (services.host() != null) {
            services.host().closed(this);
        }
        reachSwitch();
        aborts = abort || !registered && hasUnread();
        closes = true;
        due = true;
        wakeThreads();
        if (!out.isLinked()) {
            out.pin();
        }
        settle();
        if (!kernelClosed && !out.isLinked() && !out.isDraining() && !kernelLeftToReader) {
            // A writer waits in the kernel.
            kernelClosed = true;
            kernel.close();
        }
    }

    private void reachSwitch() {
        if (!in.isLinked() && readLock.tryLock()) {
            try {
                reader.reachesSwitch();
            } finally {
                readLock.unlock();
            }
        }
    }

    /** The kernel sees to a reset by itself where it has both streams. */
    private boolean hasUnread() throws IOException {
        if (in.isLinked()) {
            return in.hasUnread();
        }
        return out.isLinked() && kernel.isOpen() && inKernel() > 0;
    }

    void settle() {
        if (!due) {
            return;
        }
        while (isOutputDue() && writeLock.tryLock()) {
            try {
                endOutput();
            } finally {
                writeLock.unlock();
            }
            if (kernelLeftToReader && readLock.isLocked()) {
                break;
            }
        }
        while (closes && !left && readLock.tryLock()) {
            try {
                in.leave(aborts);
                left = true;
            } finally {
                readLock.unlock();
            }
        }
    }

    private boolean isOutputDue() {
        return (outputEnds || closes) && !outputEnded || closes && !kernelClosed && !out.isDraining();
    }

    private void endOutput() {
        outputEnded = true;
        out.endLink(closes && aborts);
        if (closes && !kernelClosed && !out.isDraining()) {
            closeKernel();
        }
    }

    /**
     * A token left unread would make the kernel reset what the peer has not taken yet. A reader that sleeps in the kernel takes them: it
     * is woken, and closes the socket behind its unlock.
     */
    private void closeKernel() {
        if (in.mayHaveTokens() && kernel.isOpen()) {
            if (!readLock.tryLock()) {
                leaveKernelToReader();
                return;
            }
            try {
                if (reader.reachesSwitch()) {
                    kernel.configureBlocking(false);
                    tokens.drain();
                }
            } catch (IOException | RuntimeException e) {
                Log.debug("The last wake-ups of a connection were left: " + e);
            } finally {
                readLock.unlock();
            }
        }
        kernelClosed = true;
        try {
            kernel.close();
        } catch (IOException e) {
            Log.debug("Closing a socket failed: " + e.getMessage());
        }
    }

    private void leaveKernelToReader() {
        kernelLeftToReader = true;
        try {
            kernel.shutdownInput();
        } catch (IOException e) {
            // It is closed: there is nothing to wake the reader from.
        }
    }
}
