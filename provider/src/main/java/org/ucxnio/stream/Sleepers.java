package org.ucxnio.stream;

import java.nio.ByteBuffer;
import org.ucxnio.posix.Futex;
import org.ucxnio.ring.Waits;

/** Sleeping on, and waking through, the words of rings. Immutable, thread-safe. */
final class Sleepers {
    private final Futexes futexes;
    private final Tokens tokens;

    Sleepers(Futexes futexes, Tokens tokens) {
        this.futexes = futexes;
        this.tokens = tokens;
    }

    boolean hasFutex() {
        return futexes.get() != null;
    }

    /** Sleeps on a word that says {@link Waits#FUTEX}, unless it does not say so any more. */
    void sleep(ByteBuffer memory, int word, long nanos) {
        Futex futex = futexes.get();
        futex.await(futex.address(memory) + word, Waits.FUTEX, nanos);
    }

    /** Wakes the thread of the peer that waited in this way on that word. */
    void wake(int how, ByteBuffer memory, int word) {
        if (how == Waits.FUTEX) {
            wakeAll(memory, word);
        } else if (how == Waits.TOKEN) {
            tokens.send();
        }
    }

    /** Wakes whoever sleeps on the word, of this process or the other. */
    void wakeAll(ByteBuffer memory, int word) {
        Futex futex = futexes.get();
        if (futex != null) {
            futex.wake(futex.address(memory) + word);
        }
    }
}
