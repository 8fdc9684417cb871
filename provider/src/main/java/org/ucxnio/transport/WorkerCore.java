package org.ucxnio.transport;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** What the parts of a worker know of the whole: its lock, its progress, and what they send by it. */
abstract class WorkerCore {
    /** Tries of a thread that finds the lock taken before it sleeps: whoever spins for bytes lets go of it again and again. */
    private static final int LOCK_TRIES = 200;

    private static final int DRAIN_ROUNDS = 100_000;

    private final ReentrantLock lock = new ReentrantLock();

    /** A parked thread that there is something for; see {@link #unparkBehindLock}. Guarded by lock. */
    private Thread toUnpark;

    // -- lock --------------------------------------------------------------------------------------------------------

    final void lock() {
        if (!lock.tryLock()) {
            lockTaken();
        }
    }

    final boolean tryLock() {
        return lock.tryLock();
    }

    private void lockTaken() {
        for (int i = 0; i < LOCK_TRIES; i++) {
            Thread.onSpinWait();
            if (lock.tryLock()) {
                return;
            }
        }
        lock.lock();
    }

    /** Gives the lock back, and then unparks the thread that {@link #unparkBehindLock} was called for. */
    final void unlock() {
        Thread thread = lock.getHoldCount() == 1 ? toUnpark : null;
        if (thread != null) {
            toUnpark = null;
        }
        lock.unlock();
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Unparks a thread once the lock is given back: woken before, the first thing it did was to wait for the lock. */
    final void unparkBehindLock(Thread thread) {
        if (toUnpark == null) {
            toUnpark = thread;
        } else if (toUnpark != thread) {
            LockSupport.unpark(thread);
        }
    }

    // -- progress ----------------------------------------------------------------------------------------------------

    /** With the lock held: advances communication once; returns whether anything happened. */
    abstract boolean progress();

    /** With the lock held: progresses until nothing more has arrived. */
    final void drain() {
        for (int i = 0; i < DRAIN_ROUNDS && progress(); i++) {
            // each round takes in what a round can
        }
    }

    abstract boolean isInsideUcx();

    /** How often the worker was progressed; a racy look is good enough to tell whether somebody does. */
    abstract long progressCount();

    abstract boolean isClosed();

    /** The worker threw what is no connection's fault. */
    abstract void abandon(Throwable cause);

    // -- sending -----------------------------------------------------------------------------------------------------

    /** A slice with room for {@code length} bytes at its write position, which moves only past what stays pending. */
    abstract Slice scratch(int length) throws IOException;

    /** Sends what is written behind a {@link #scratch} slice and belongs to no connection. */
    abstract void sendUnowned(Link link, Slice slice, int at, int length) throws IOException;

    abstract boolean hasPendingSends();
}
