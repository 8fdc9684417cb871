package org.ucxnio.channel;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.KernelSockets;
import org.ucxnio.jdk.LateErrors;
import org.ucxnio.link.Tokens;
import org.ucxnio.stream.Inbound;
import org.ucxnio.stream.Outbound;

/**
 * How the directions of a connection end, and its socket. Each ends where its lock is free; where it is not, the lock's holder does what
 * is due behind its unlock ({@link #settle}): the one who asks raises {@link #due} before it tries the lock, and the holder reads it after
 * having let go.
 */
final class StreamEnd {
    /** What the end of a connection does with its rings. */
    private enum Touch {
        REACH,
        ASK_FOR_TOKEN,
        LEAVE,
        END_LINK
    }

    /** The longest pause, and half of the longest time, that a closed connection's socket waits for a peer that does not read. */
    private static final int MAX_DELIVERY_MILLIS = 1 << 11;

    private final KernelStream stream;
    private final SocketChannel kernel;
    private final StreamReader reader;
    private final ReentrantLock readLock;
    private final ReentrantLock writeLock;
    private final Listeners listeners;
    private final Inbound in;
    private final Outbound out;
    private final Tokens tokens;
    private final TornMemory torn;

    /** The output or the channel is to be ended by whoever finds its lock free. Only rises. */
    private volatile boolean due;

    private volatile boolean outputEnds;
    private volatile boolean closes;
    private volatile boolean aborts;

    /** Bytes were unread as the channel was closed, in the link or in the socket: the peer's writer is to hear of a reset. */
    private volatile boolean leavesUnread;

    /** The peer has gone back to TCP, and what was read of that from the socket already is lost: the kernel does not know of it. */
    private volatile boolean resets;

    /** The kernel socket's output is to be shut down before it is closed. */
    private volatile boolean endsFirst;

    /** The peer's token that tells of its switch is under way. */
    private volatile boolean tokenDue;

    /** What is due was done; written with the write lock, or the read lock, held. */
    private volatile boolean outputEnded;

    private volatile boolean kernelClosed;
    private volatile boolean left;

    StreamEnd(
            KernelStream stream,
            StreamOwner owner,
            SocketChannel kernel,
            StreamReader reader,
            Inbound in,
            Outbound out,
            TornMemory torn) {
        this.stream = stream;
        this.kernel = kernel;
        this.reader = reader;
        this.readLock = owner.readLock();
        this.writeLock = owner.writeLock();
        this.listeners = owner.listeners();
        this.in = in;
        this.out = out;
        this.tokens = stream.tokens();
        this.torn = torn;
    }

    void shutdownInput() throws IOException {
        if (in.isLinked()) {
            torn.touch(in::wakeReader);
            tokens.endAwait();
        } else {
            tokens.shutdownInput();
        }
        // Where the output is in a ring the kernel does not know that both directions have ended.
        listeners.onReady();
    }

    void shutdownOutput() throws IOException {
        if (!out.isLinked()) {
            out.endInKernel();
        }
        if (!out.hasSwitched()) {
            // It may have gone back since.
            out.endInKernel();
            kernel.shutdownOutput();
            return;
        }
        outputEnds = true;
        due = true;
        torn.touch(out::wakeWriter);
        settle();
        listeners.onReady();
    }

    void close(boolean abort, boolean registered) {
        touch(Touch.REACH);
        if (!out.isLinked()) {
            // First: what the kernel, or the link, has to tell of this end depends on where the output is.
            out.endInKernel();
        }
        boolean hasTokens = in.refuseLink();
        touch(Touch.ASK_FOR_TOKEN);
        boolean unread = (hasTokens || in.isBack()) && isUnread();
        leavesUnread = unread && !registered;
        // The kernel sees to a reset by itself where it has both streams.
        aborts = abort || leavesUnread && stream.hasMoved();
        resets = leavesUnread && tokens.isLast();
        endsFirst = hasTokens && !aborts && !unread;
        closes = true;
        due = true;
        stream.wakeThreads();
        settle();
        if (!kernelClosed && !out.isLinked() && !out.isDraining()) {
            // A writer may wait in the kernel.
            closeKernel();
        }
    }

    /** {@link TornMemory#touch} without lambdas, as every connection comes by: the first ones of a process cost milliseconds. */
    private void touch(Touch what) {
        if (!torn.isTorn()) {
            try {
                touchNow(what);
                LateErrors.surface();
            } catch (InternalError e) {
                torn.tear(e);
            }
        }
    }

    private void touchNow(Touch what) {
        switch (what) {
            case REACH -> {
                reader.reachSwitch();
                reachBack();
            }
            case ASK_FOR_TOKEN -> tokenDue = in.awaitsToken();
            case LEAVE -> in.leave(aborts || leavesUnread);
            case END_LINK -> out.endLink(closes && aborts);
            default -> throw new IllegalArgumentException(what.name());
        }
    }

    /** Goes back to TCP where that is due and nobody reads. */
    private void reachBack() {
        if (in.isLinked() && readLock.tryLock()) {
            try {
                in.update();
            } catch (IOException e) {
                Log.debug("A connection is closed whose ring is wrong: " + e.getMessage());
            } finally {
                readLock.unlock();
            }
        }
    }

    /** Behind a wait in vain: links that no token wakes would not hear of the peer's death otherwise. */
    void lookAtPeer() {
        if (endOfSocketIsThePeers() && KernelSockets.isPeerAtEnd(kernel)) {
            tokens.end();
        }
    }

    /** Whether the peer's end of the socket is that of the peer, and not of a stream that it has in the socket still. */
    private boolean endOfSocketIsThePeers() {
        return in.isLinked() ? in.announces() : out.hasSwitched() && out.announces() && !in.isSessionAlive();
    }

    private boolean isUnread() {
        if (!torn.isTorn()) {
            try {
                boolean unread = hasUnread();
                LateErrors.surface();
                return unread;
            } catch (InternalError e) {
                torn.tear(e);
            }
        }
        return true;
    }

    private boolean hasUnread() {
        return in.hasUnread(kernel.isOpen() ? KernelSockets.unreadBytes(kernel) : 0);
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
        }
        while (closes && !left && readLock.tryLock()) {
            try {
                touch(Touch.LEAVE);
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
        boolean goneBack = out.isBack();
        if (goneBack) {
            out.endInKernel();
        }
        touch(Touch.END_LINK);
        if (goneBack && !closes) {
            shutdownKernelOutput();
        }
        if (closes && !kernelClosed && !out.isDraining()) {
            if (endsFirst) {
                takeLastTokens();
            }
            closeKernel();
        }
    }

    /** The stream went back to TCP while its output was shut down. */
    private void shutdownKernelOutput() {
        try {
            kernel.shutdownOutput();
        } catch (IOException e) {
            Log.debug("The end of a stream is not told: " + e.getMessage());
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
     * that is gone. A token that is sure to come, as the peer tells of its switch, is waited for: the peer may have read to the end, and is
     * to see no reset behind it.
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

    private boolean isTokenDue() {
        return tokenDue && !tokens.haveCome() && !tokens.isEnded() && !kernel.isBlocking();
    }

    private void closeOnceDelivered(int delayMillis) {
        tokens.drain();
        if (isDelivered() && !isTokenDue()
                || tokens.isLast()
                || delayMillis > MAX_DELIVERY_MILLIS
                || !Nudges.later(delayMillis, () -> closeOnceDelivered(2 * delayMillis))) {
            closeNow();
        }
    }

    private void closeNow() {
        if (resets) {
            setToReset();
        }
        close(kernel);
    }

    private void setToReset() {
        try {
            kernel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            Log.debug("A socket is closed that is to be reset: " + e.getMessage());
        }
    }

    /** Closes a socket. Whoever is in a call of it is sent back by that. */
    static void close(SocketChannel kernel) {
        try {
            kernel.close();
        } catch (IOException e) {
            Log.debug("Closing a socket failed: " + e.getMessage());
        }
    }
}
