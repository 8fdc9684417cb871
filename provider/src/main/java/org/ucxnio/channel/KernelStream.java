package org.ucxnio.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.events.Recorder;
import org.ucxnio.jdk.KernelSockets;
import org.ucxnio.jdk.LateErrors;
import org.ucxnio.link.Carried;
import org.ucxnio.link.Driver;
import org.ucxnio.link.Home;
import org.ucxnio.link.Lane;
import org.ucxnio.link.Medium;
import org.ucxnio.link.Tokens;
import org.ucxnio.session.Movable;
import org.ucxnio.stream.Inbound;
import org.ucxnio.stream.Outbound;

/**
 * The bytes of a connection that begins as the kernel's and may move to rings, each direction for itself.
 *
 * <p><b>Locks.</b> Inbound is owned by the holder of the channel's read lock, outbound by that of its write lock. Selecting threads and
 * the session's try for these locks and never wait. Whoever lets go of one calls {@link #settle}.
 */
final class KernelStream extends Movable implements Carried, Inbound.Owner {
    private static final String OTHER_HOST = "peer on another host that is not trusted";
    private static final String RESET = "Connection reset";

    private final StreamOwner owner;
    final SocketChannel kernel;
    private final ChannelServices services;
    private final ReentrantLock readLock;
    private final ReentrantLock writeLock;
    private final Listeners listeners;
    private final Tokens tokens;
    final Outbound out;
    private final Inbound in;
    private final StreamReader reader;
    final StreamWriter writer;
    private final TornMemory torn;

    // -- for a connection that may move, or one of whose directions has ended; most are closed before --

    /** Null before they are made, and the kernel alone has the connection. The last to be written, with the monitor held. */
    private volatile Readiness readiness;

    private StreamEnd end;
    private Retries retries;
    // -- end --

    /** Null before it breaks. Guarded by the monitor. */
    private BrokenStream broken;

    /** Written by the session's thread before either direction moves. */
    private volatile Medium medium;

    private volatile Driver driver;

    private final Counted counted;

    /** Null where this end does not ask. */
    private final MoveRequest worth;

    private final boolean mayBeAsked;

    /** @param opened whether this process connected, and did not accept */
    KernelStream(StreamOwner owner, SocketChannel kernel, ChannelServices services, String reason, boolean opened) {
        this.owner = owner;
        this.kernel = kernel;
        this.services = services;
        this.readLock = owner.readLock();
        this.writeLock = owner.writeLock();
        this.listeners = owner.listeners();
        InetAddress peer = remote().getAddress();
        boolean onThisHost = peer.isLoopbackAddress() || peer.equals(local().getAddress());
        boolean mayMove =
                onThisHost || services.host() != null && services.host().reaches(peer);
        tokens = new Tokens(kernel, KernelSockets.HAS_ROOM);
        out = new Outbound(tokens);
        in = new Inbound(tokens, this);
        reader = new StreamReader(this, owner, kernel, in, tokens, services.governor());
        writer = new StreamWriter(this, owner, kernel, out, tokens, services.governor());
        torn = new TornMemory(tokens, listeners);
        counted = new Counted(
                services.plainConnections(), mayMove || !reason.equals(services.plainReason()) ? reason : OTHER_HOST);
        boolean stays = !mayMove || services.host() == null;
        worth = opened && !stays ? new MoveRequest(this, owner, services, counted, onThisHost) : null;
        mayBeAsked = !opened && !stays;
    }

    /** Behind the construction, once the channel is what it will be: others may speak of the connection. */
    void begin() {
        if (worth != null) {
            worth.begin();
        } else if (mayBeAsked) {
            MoveRequest.accept(this, services.host());
        }
    }

    /** A call has read bytes from the kernel, or written them there. */
    void used(long bytes, boolean read) {
        if (worth != null) {
            worth.used(bytes, read);
        }
    }

    private void needLater() {
        if (readiness == null) {
            synchronized (this) {
                if (readiness == null) {
                    Readiness made = new Readiness(this, owner, kernel, in, out, reader, torn);
                    end = new StreamEnd(this, owner, kernel, reader, in, out, torn);
                    retries = new Retries(this, kernel, out, tokens, made);
                    readiness = made;
                }
            }
        }
    }

    private StreamEnd end() {
        needLater();
        return end;
    }

    private Retries retries() {
        needLater();
        return retries;
    }

    synchronized BrokenStream broken() {
        if (broken == null) {
            broken = new BrokenStream();
        }
        return broken;
    }

    // -- bytes -------------------------------------------------------------------------------------------------------

    long read(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        if (!torn.isTorn()) {
            try {
                long count = reader.read(targets, offset, length, timeoutNanos);
                LateErrors.surfaceCheaply();
                return count;
            } catch (InternalError e) {
                torn.tear(e);
            }
        }
        return broken().onRead(unlessClosed(new SocketException(RESET)));
    }

    boolean readsKernelAlone() {
        return in.isKernelAlone();
    }

    /** {@link #read} of one buffer where {@link #readsKernelAlone}. */
    long readAlone(ByteBuffer target) throws IOException {
        try {
            return reader.readAlone(target);
        } catch (InternalError e) {
            torn.tear(e);
        }
        return broken().onRead(unlessClosed(new SocketException(RESET)));
    }

    /** Reads what is there on the link into one buffer, by the shortest way; 0 where {@link #read} has to tell. */
    int readAtOnce(ByteBuffer target) throws IOException {
        if (!torn.isTorn()) {
            int position = target.position();
            try {
                int count = reader.readAtOnce(target);
                LateErrors.surfaceCheaply();
                return count;
            } catch (InternalError e) {
                torn.tear(e, target, position);
            }
        }
        return 0;
    }

    /** Writes all of a buffer to the link, by the shortest way; 0 where {@link #write} has to tell. */
    int writeAtOnce(ByteBuffer source) throws IOException {
        if (!torn.isTorn()) {
            int position = source.position();
            try {
                int count = writer.writeAtOnce(source);
                LateErrors.surfaceCheaply();
                return count;
            } catch (InternalError e) {
                torn.tear(e, source, position);
            }
        }
        return 0;
    }

    boolean writesKernelAlone() {
        return out.isKernelAlone();
    }

    /** {@link #write} of one buffer where {@link #writesKernelAlone}. */
    int writeAlone(ByteBuffer source) throws IOException {
        return writer.writeAlone(source);
    }

    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (!torn.isTorn()) {
            try {
                long count = writer.write(sources, offset, length);
                LateErrors.surfaceCheaply();
                return count;
            } catch (InternalError e) {
                torn.tear(e);
            }
        }
        return broken().onWrite(unlessClosed(new SocketException(RESET)), sources, offset, length);
    }

    void writeUrgent(byte data) throws IOException {
        if (!torn.isTorn()) {
            try {
                writer.writeUrgent(data);
                LateErrors.surface();
                return;
            } catch (InternalError e) {
                torn.tear(e);
            }
        }
        throw unlessClosed(new SocketException(RESET));
    }

    void setUrgentInline(boolean inline) throws IOException {
        in.urgentInline(inline);
        kernel.socket().setOOBInline(inline);
    }

    int available() throws IOException {
        if (!readLock.tryLock()) {
            // A reader is at it, and takes what there is.
            return in.isLinked() ? 0 : reader.availableInKernel();
        }
        try {
            int count = torn.isTorn() ? 0 : reader.available();
            LateErrors.surface();
            return count;
        } catch (InternalError e) {
            torn.tear(e);
            return 0;
        } finally {
            readLock.unlock();
            settle();
        }
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
        return owner.localAddressOrNull();
    }

    @Override
    public InetSocketAddress remote() {
        return owner.remoteAddressOrNull();
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
    public boolean hasSleepers() {
        return worth != null && worth.hasSleepers();
    }

    @Override
    public boolean hear(Lane lane) {
        MovingNeeds.load();
        tokens.prepare();
        needLater();
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
        retries().trySwitch();
        return true;
    }

    /** What selectors have to progress for this connection; null for nothing. */
    Driver driver() {
        return driver;
    }

    /** Switches where that is due and no write is under way. */
    void switchUnlessWriting() {
        if (writeLock.tryLock()) {
            try {
                if (out.isPaired() && (!out.usedKernel() || KernelSockets.unconfirmedBytes(kernel) == 0)) {
                    torn.touch(writer::switchNow);
                }
            } finally {
                writeLock.unlock();
                settle();
            }
        }
    }

    // -- for the link ------------------------------------------------------------------------------------------------

    @Override
    public Tokens tokens() {
        return tokens;
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
        retries().sendToken();
    }

    @Override
    public void onDrained() {
        out.drained();
        settle();
    }

    @Override
    public void onBroken() {
        Runnable broken = () -> {
            wakeThreads();
            onReady();
        };
        new LostLink(this, kernel, in, out, tokens, broken).look();
    }

    /** As {@link StreamEnd#lookAtPeer}. */
    void lookAtPeer() {
        end().lookAtPeer();
    }

    // -- the session -------------------------------------------------------------------------------------------------

    /** A stream that is on TCP still stays there: nobody looks any more, behind a later switch, whether the peer is gone. */
    @Override
    public void sessionEnded() {
        out.pin();
        staysPlain("the session with the peer is over");
        retries().lookWhetherGone();
    }

    @Override
    public void exits() {
        torn.touch(out::exits);
    }

    /** Threads that wait hold their locks, and look whether they have to go on behind locking them. */
    void wakeThreads() {
        if (readLock.isLocked()) {
            torn.touch(in::wakeReader);
        }
        if (writeLock.isLocked()) {
            torn.touch(out::wakeWriter);
        }
    }

    @Override
    public void staysPlain(String reason) {
        counted.staysPlain(KernelSockets.unavailable() == null ? reason : KernelSockets.unavailable());
    }

    /** A direction has moved. */
    void moved() {
        if (recount()) {
            tokens.setNoDelay();
            Recorder.moved(local(), remote(), medium.name());
        }
        listeners.onReady();
    }

    /** Whoever changes a direction counts behind that: the last one sees both as they are. Returns whether a direction is the first to move. */
    private boolean recount() {
        synchronized (counted) {
            return counted.carriedBy(hasMoved() ? medium : null);
        }
    }

    /** {@inheritDoc} Or the other direction has. */
    @Override
    public void wentBack() {
        recount();
        listeners.onReady();
    }

    /** This side's stream has gone back to TCP. */
    void wroteBack() {
        reader.takeTokens();
        wentBack();
        retries().payToken();
    }

    /** Whether the kernel socket carries, or has carried, tokens. */
    boolean hasEverMoved() {
        return counted.hasEverMoved();
    }

    /** Whether the kernel socket carries tokens, in one direction at least. */
    boolean hasMoved() {
        return out.hasSwitched() || in.isLinked();
    }

    /** What selectors ask; null where the kernel alone tells. */
    Readiness readiness() {
        return readiness;
    }

    // -- the end -----------------------------------------------------------------------------------------------------

    void shutdownInput() throws IOException {
        end().shutdownInput();
    }

    void shutdownOutput() throws IOException {
        end().shutdownOutput();
    }

    void close(boolean abort, boolean registered) {
        counted.close();
        if (services.host() != null) {
            services.host().closed(this);
        }
        if (out.endPlain() & in.leavePlain()) {
            StreamEnd.close(kernel);
        } else {
            end().close(abort, registered);
        }
    }

    /** To be called behind an unlock of the channel's read or write lock: does what was left to its holder. */
    void settle() {
        if (readiness != null) {
            end.settle();
        }
    }
}
