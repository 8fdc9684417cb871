package org.ucxnio.channel;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.KernelSockets;
import org.ucxnio.jdk.LateErrors;
import org.ucxnio.link.Bell;
import org.ucxnio.link.Tokens;
import org.ucxnio.loop.OutOfLine;
import org.ucxnio.ring.Waits;
import org.ucxnio.stream.Inbound;
import org.ucxnio.stream.Outbound;

/**
 * What a connection is ready for, as selectors ask: of the kernel's socket, of the links that its directions may have moved to, or both.
 * Called by selecting threads, which try for the channel's locks and never wait.
 */
final class Readiness {
    private final KernelStream stream;
    private final StreamOwner owner;
    private final SocketChannel kernel;
    private final ReentrantLock readLock;
    private final ReentrantLock writeLock;
    private final Listeners listeners;
    private final Inbound in;
    private final Outbound out;
    private final Tokens tokens;
    private final StreamReader reader;
    private final TornMemory torn;

    Readiness(
            KernelStream stream,
            StreamOwner owner,
            SocketChannel kernel,
            Inbound in,
            Outbound out,
            StreamReader reader,
            TornMemory torn) {
        this.stream = stream;
        this.owner = owner;
        this.kernel = kernel;
        this.readLock = owner.readLock();
        this.writeLock = owner.writeLock();
        this.listeners = owner.listeners();
        this.in = in;
        this.out = out;
        this.tokens = stream.tokens();
        this.reader = reader;
        this.torn = torn;
    }

    int ringOps() {
        int ops = out.hasSwitched() && !out.announces() ? SelectionKey.OP_WRITE : 0;
        if (in.isLinked() && !in.announces()) {
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
        if (!in.isLinked()) {
            ops |= interest & SelectionKey.OP_READ;
        } else if (!tokens.isEnded() && !tokens.isSilent()) {
            ops |= SelectionKey.OP_READ;
        }
        if (!out.hasSwitched()) {
            ops |= interest & SelectionKey.OP_WRITE;
        } else if (out.isTokenOwed()) {
            ops |= SelectionKey.OP_WRITE;
        }
        return ops;
    }

    int readyOps(int interest) {
        if (!torn.isTorn()) {
            try {
                return readyInRings(interest);
            } catch (InternalError e) {
                // It may be that of another connection, which was looked at before.
                return readyOpsAlone(interest);
            }
        }
        return interest;
    }

    /** The same, where an error of its own is thrown and taken before this returns. */
    int readyOpsAlone(int interest) {
        if (!torn.isTorn()) {
            try {
                int ops = readyInRings(interest);
                LateErrors.surfaceCheaply();
                return ops;
            } catch (InternalError e) {
                torn.tear(e);
            }
        }
        return interest;
    }

    private int readyInRings(int interest) {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        int ops = 0;
        if ((interest & SelectionKey.OP_READ) != 0 && (in.isLinked() ? isReadable() : in.hasBehindLast())) {
            ops |= SelectionKey.OP_READ;
        }
        if ((interest & SelectionKey.OP_WRITE) != 0 && out.hasSwitched() && (!out.isLinked() || out.isWritable())) {
            ops |= SelectionKey.OP_WRITE;
        }
        return isHungUp() ? interest : ops;
    }

    /** Both directions have ended, which the kernel does not know of; it would call the socket ready for everything. */
    private boolean isHungUp() {
        if (!owner.isOutputShutdown() || !stream.hasMoved()) {
            return false;
        }
        // Nobody may have read so far, where no selector was asked to.
        reader.reachSwitch();
        return owner.isInputShutdown() || (in.isLinked() ? in.isAtEnd() : KernelSockets.isPeerAtEnd(kernel));
    }

    private boolean isReadable() {
        if (in.isReadable() || in.isPeerGone() || owner.isInputShutdown()) {
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
            return in.isLinked() ? in.isReadable() : in.hasBehindLast();
        } catch (IOException e) {
            // The next read throws it.
            return true;
        } finally {
            readLock.unlock();
            stream.settle();
        }
    }

    int onKernelReady(int ops) {
        if (in.isKernelAlone() && out.isKernelAlone()) {
            return ops;
        }
        if (!torn.isTorn()) {
            try {
                int counts = takeKernelReady(ops);
                LateErrors.surfaceCheaply();
                return counts;
            } catch (InternalError e) {
                torn.tear(e);
            }
        }
        return ops;
    }

    private int takeKernelReady(int ops) {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        int counts = ops & ~(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        if ((ops & SelectionKey.OP_READ) != 0) {
            if (!in.isLinked() && readLock.tryLock()) {
                try {
                    reader.reachesSwitch();
                } finally {
                    readLock.unlock();
                    stream.settle();
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
        if (!readLock.tryLock()) {
            // A reader is at it: what it leaves is there at the next look.
            return;
        }
        try {
            tokens.drain();
            if (tokens.isLast()) {
                in.update();
            }
        } catch (IOException e) {
            Log.debug("The next read tells what is wrong with a ring: " + e.getMessage());
        } finally {
            readLock.unlock();
            stream.settle();
        }
        if (tokens.isLast() || listeners.areSeveral()) {
            // The socket has no more of them, and the others' selectors may have slept through it.
            listeners.onReady();
        }
    }

    /** Sends the token that is owed, where there is room for it and nobody writes. */
    void payToken() {
        if (writeLock.tryLock()) {
            try {
                out.payToken();
            } finally {
                writeLock.unlock();
                stream.settle();
            }
        }
    }

    /**
     * Has the kernel channel become readable, or the bell rung, once a ring is ready for any of the operations; false where one is now.
     *
     * @param bell null for the kernel channel alone
     */
    boolean arm(int ops, Bell bell) {
        LateErrors.surfaceUnlessPolled();
        if (torn.isTorn()) {
            return false;
        }
        try {
            boolean quiet = armRings(ops, bell);
            LateErrors.surface();
            return quiet;
        } catch (InternalError e) {
            torn.tear(e);
            return false;
        }
    }

    private boolean armRings(int ops, Bell bell) {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        boolean quiet =
                (ops & (SelectionKey.OP_READ | SelectionKey.OP_CONNECT)) == 0 || !in.isLinked() || armRead(ops, bell);
        return (ops & SelectionKey.OP_WRITE) == 0 || !out.hasSwitched() ? quiet : armWrite() && quiet;
    }

    private boolean armRead(int ops, Bell bell) {
        if (!readLock.tryLock()) {
            return false;
        }
        try {
            boolean quiet = armReader(bell);
            if (!quiet) {
                in.update();
                if (!in.isLinked()) {
                    return false;
                }
                // A record that is not for the application is no reason to stay awake, as it may lie there for long.
                armReader(bell);
                quiet = !in.isReadable() && !in.isStale();
            }
            if ((ops & SelectionKey.OP_READ) == 0) {
                return !isHungUp();
            }
            return quiet && !tokens.isEnded() && !owner.isInputShutdown();
        } catch (IOException e) {
            return false;
        } finally {
            readLock.unlock();
            stream.settle();
        }
    }

    /**
     * Of several selectors one alone would hear its bell, and all hear a token. Another one is among the listeners before it arms: either it is
     * seen here, or what it arms comes later.
     *
     * @return whether there is no record
     */
    private boolean armReader(Bell bell) {
        boolean quiet = bell == null || in.arm(bell);
        return bell != null && !listeners.areSeveral() ? quiet : in.arm(Waits.TOKEN);
    }

    private boolean armWrite() {
        if (!out.isLinked() || !writeLock.tryLock()) {
            return false;
        }
        try {
            if (!out.isLinked() || out.isWritable()) {
                return false;
            }
            if (!in.isLinked() || tokens.isSilent()) {
                return awaitRoomWithoutTokens();
            }
            return out.arm(Waits.TOKEN) || out.isTokenOwed();
        } finally {
            writeLock.unlock();
            stream.settle();
        }
    }

    /** What comes over TCP are the peer's bytes, still or again, so that it sends no tokens. */
    private boolean awaitRoomWithoutTokens() {
        if (!in.isSessionAlive()) {
            // A peer that is gone is not to be waited for.
            tokens.send();
        }
        return Nudges.soon(listeners::onReady);
    }

    /** The selector looks by itself again. What another one may sleep on stays. */
    void disarm() {
        LateErrors.surfaceUnlessPolled();
        if (!torn.isTorn()) {
            try {
                disarmRings();
                LateErrors.surface();
            } catch (InternalError e) {
                torn.tear(e);
            }
        }
    }

    private void disarmRings() {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        if (in.isLinked() && readLock.tryLock()) {
            try {
                if (!listeners.areSeveral()) {
                    in.disarm();
                }
            } finally {
                readLock.unlock();
                stream.settle();
            }
        }
        if (out.isLinked() && writeLock.tryLock()) {
            try {
                if (!listeners.areSeveral()) {
                    out.disarm();
                }
            } finally {
                writeLock.unlock();
                stream.settle();
            }
        }
    }
}
