package org.ucxnio.link;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.ucxnio.jdk.ForeignFunctions;
import org.ucxnio.jdk.Natives;
import org.ucxnio.posix.Futex;

/**
 * Whether threads of this process may sleep on words of the rings that it shares with another one: once both have loaded what that takes.
 * Neither does that before a thread of one of them would sleep so, or is expected to, as many processes have no such thread and all of them would
 * pay for it in their first second. Until then threads sleep in the kernel, on the connection's socket, as they do where there is no futex. One for a
 * session; thread-safe.
 *
 * <p><b>Ordering.</b> A process says that it wakes sleepers behind having what it wakes them with, and is believed behind that. Who wakes
 * a sleeper of its own process says first why and looks then for the futex: where there is none yet, the sleeper, which looked for
 * it before it went to sleep, looks behind that once more for a reason not to.
 */
public final class FutexAgreement {
    /** A note: a thread would sleep on a word. */
    static final int WANTED = -1;

    /** A note: from now on sleepers on words are woken. */
    static final int WAKES = -2;

    private final boolean possible;
    private final IntConsumer notes;
    private final AtomicBoolean asked = new AtomicBoolean();

    /** Session thread. */
    private boolean promised;

    private volatile boolean peerWakes;

    /**
     * @param peerCan whether the peer's process is able to, in principle
     * @param notes sends the peer's end of this a number
     */
    public FutexAgreement(boolean peerCan, IntConsumer notes) {
        this.possible = peerCan && Natives.hasForeignFunctions();
        this.notes = notes;
    }

    /** Whether a thread that wants to sleep on a word may, now; where not, it will be seen to. */
    boolean isReached() {
        if (peerWakes && futex() != null) {
            return true;
        }
        if (possible && !asked.get() && asked.compareAndSet(false, true)) {
            ForeignFunctions.load(null);
            notes.accept(WANTED);
        }
        return false;
    }

    /** Threads will want to sleep so, but not yet: has the peer load it, and then this process, so that they do not take each other's processors. */
    public void expect() {
        if (possible && asked.compareAndSet(false, true)) {
            notes.accept(WANTED);
        }
    }

    /** Null as long as none is loaded. */
    Futex futex() {
        return ForeignFunctions.futex();
    }

    /**
     * A number that the peer has sent. Session thread; what is asked again is not answered again.
     *
     * @return whether it is one for this
     */
    public boolean onNote(int number) {
        if (number == WANTED && possible && !promised) {
            promised = true;
            ForeignFunctions.load(() -> notes.accept(WAKES));
        } else if (number == WAKES) {
            peerWakes = true;
            // Unless that was done before the peer was asked.
            ForeignFunctions.load(null);
        }
        return number == WANTED || number == WAKES;
    }
}
