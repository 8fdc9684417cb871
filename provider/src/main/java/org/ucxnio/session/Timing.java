package org.ucxnio.session;

import java.util.concurrent.TimeUnit;

/**
 * How long things take.
 *
 * @param helloNanos the peer's hello is there after that, or the session ends
 * @param patienceNanos how long a client asks for a connection that its server does not know
 * @param firstDelayNanos the time between two askings at first, which doubles
 * @param longestDelayNanos and in the end
 * @param firstNameNanos the time after which a listener's name is tried again that cannot be had, which doubles
 * @param longestNameNanos and in the end
 * @param lingerNanos how long a closed listener keeps its name, for clients of connections that it has accepted
 * @param idleNanos a session without connections ends after that, and before twice that
 * @param steadyStepNanos the time after which two processes that have never moved a connection move more of them, several times as many each time
 * @param slowStepNanos the same where a process calls seldom
 */
record Timing(
        long helloNanos,
        long patienceNanos,
        long firstDelayNanos,
        long longestDelayNanos,
        long firstNameNanos,
        long longestNameNanos,
        long lingerNanos,
        long idleNanos,
        long steadyStepNanos,
        long slowStepNanos) {

    static final Timing USUAL = new Timing(
            TimeUnit.SECONDS.toNanos(2),
            TimeUnit.SECONDS.toNanos(5),
            TimeUnit.MILLISECONDS.toNanos(5),
            TimeUnit.MILLISECONDS.toNanos(200),
            TimeUnit.SECONDS.toNanos(1),
            TimeUnit.SECONDS.toNanos(60),
            TimeUnit.SECONDS.toNanos(2),
            TimeUnit.SECONDS.toNanos(30),
            TimeUnit.MILLISECONDS.toNanos(500),
            TimeUnit.SECONDS.toNanos(1));

    /** @param before the last one, or 0 */
    long delayAfter(long before) {
        return before == 0 ? firstDelayNanos : Math.min(2 * before, longestDelayNanos);
    }

    /** The same for names of listeners. */
    long nameDelayAfter(long before) {
        return before == 0 ? firstNameNanos : Math.min(2 * before, longestNameNanos);
    }

    /** The time between two steps at that pace. */
    long stepNanos(Pace pace) {
        return pace == Pace.SLOWLY ? slowStepNanos : steadyStepNanos;
    }
}
