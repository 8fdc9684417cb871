package org.ucxnio.channel;

import java.nio.channels.SocketChannel;
import org.ucxnio.link.Tokens;
import org.ucxnio.stream.Outbound;

/**
 * What a connection owes its peer though no call of the application's may come any more: tried at once, and again a little later where
 * that is too early. Never waits: a byte is sent where there is room for it. Any thread.
 */
final class Retries {
    /** How often a side that does not write tries to switch. */
    private static final int SWITCH_TRIES = 100;

    /** The time between two tries; the first ones come sooner. */
    private static final int MAX_DELAY_MILLIS = 16;

    /** The last look whether the peer has gone with its session comes behind twice this time. */
    private static final int MAX_LOOK_DELAY_MILLIS = 1 << 10;

    private final KernelStream stream;
    private final SocketChannel kernel;
    private final Outbound out;
    private final Tokens tokens;
    private final Readiness readiness;

    Retries(KernelStream stream, SocketChannel kernel, Outbound out, Tokens tokens, Readiness readiness) {
        this.stream = stream;
        this.kernel = kernel;
        this.out = out;
        this.tokens = tokens;
        this.readiness = readiness;
    }

    /** Switches once no write is under way and the kernel has delivered everything: a side that only reads would never do it. */
    void trySwitch() {
        trySwitch(SWITCH_TRIES, 1);
    }

    private void trySwitch(int tries, int delayMillis) {
        stream.switchUnlessWriting();
        if (out.isPaired() && tries > 1) {
            Nudges.later(delayMillis, new SwitchAgain(tries - 1, longer(delayMillis)));
        }
    }

    /** No lambda: the first one with numbers in it costs a process some milliseconds, and most come this way. */
    private final class SwitchAgain implements Runnable {
        private final int tries;
        private final int delayMillis;

        SwitchAgain(int tries, int delayMillis) {
            this.tries = tries;
            this.delayMillis = delayMillis;
        }

        @Override
        public void run() {
            trySwitch(tries, delayMillis);
        }
    }

    /** The peer knows of the switch: sends a token that tells of it, behind what the socket has still to deliver. */
    void sendToken() {
        // Else a token would be met in a socket that is not known to carry any.
        out.awaitSwitch();
        sendToken(1);
    }

    private void sendToken(int delayMillis) {
        if (!tokens.sendBehindStream() && kernel.isOpen()) {
            Nudges.later(delayMillis, () -> sendToken(longer(delayMillis)));
        }
    }

    /** Pays the token that is owed: the peer waits for it, though this side may not write again. */
    void payToken() {
        payToken(1);
    }

    private void payToken(int delayMillis) {
        if (out.isTokenOwed()) {
            Nudges.later(delayMillis, () -> {
                readiness.payToken();
                payToken(longer(delayMillis));
            });
        }
    }

    private static int longer(int delayMillis) {
        return Math.min(2 * delayMillis, MAX_DELAY_MILLIS);
    }

    /**
     * The session has ended: the peer's process has died, as a rule, and its sockets a moment before or behind. A selector that waits for
     * room alone would not hear of that: links that tell by themselves have nobody left who does.
     */
    void lookWhetherGone() {
        lookWhetherGone(1);
    }

    private void lookWhetherGone(int delayMillis) {
        stream.lookAtPeer();
        stream.wakeThreads();
        stream.onReady();
        if (!tokens.isEnded() && stream.hasMoved() && delayMillis <= MAX_LOOK_DELAY_MILLIS) {
            Nudges.later(delayMillis, () -> lookWhetherGone(2 * delayMillis));
        }
    }
}
