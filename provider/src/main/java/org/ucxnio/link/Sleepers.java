package org.ucxnio.link;

import java.nio.ByteBuffer;
import org.ucxnio.posix.Futex;
import org.ucxnio.ring.RingOut;
import org.ucxnio.ring.Waits;

/** Sleeping on, and waking through, the words of rings. Thread-safe; allocates once for each ring. */
final class Sleepers {
    /** Where a ring is in memory. To ask for it makes objects. */
    private record Place(ByteBuffer memory, long address) {}

    private final FutexAgreement futexes;
    private final Tokens tokens;

    private final Bells bells;

    /** That of the ring that was used last. A race costs the address being asked for again. */
    private Place last;

    Sleepers(FutexAgreement futexes, Tokens tokens, Bells bells) {
        this.futexes = futexes;
        this.tokens = tokens;
        this.bells = bells;
    }

    /** As {@link FutexAgreement#isReached}. */
    boolean hasFutex() {
        return futexes.isReached();
    }

    /** Sleeps on a word that says {@link Waits#FUTEX}, unless it does not say so any more. */
    void sleep(ByteBuffer memory, int word, long nanos) {
        Futex futex = futexes.futex();
        futex.await(address(futex, memory) + word, Waits.FUTEX, nanos);
    }

    private long address(Futex futex, ByteBuffer memory) {
        Place place = last;
        if (place == null || place.memory != memory) {
            place = new Place(memory, futex.address(memory));
            last = place;
        }
        return place.address;
    }

    /** Wakes the thread of the peer that waited in this way on that word. */
    void wake(int how, ByteBuffer memory, int word) {
        if (how == Waits.FUTEX) {
            wakeAll(memory, word);
        } else if (how == Waits.TOKEN) {
            tokens.send();
        }
    }

    /** Wakes the reader of a ring that waited in this way. */
    void wakeReader(int how, RingOut of) {
        if (!Waits.isBell(how)) {
            wake(how, of.block().memory(), RingOut.readerWaitsOffset());
        } else if (!bells.ring(of.bellProcess(), Waits.descriptor(how), of.bellPipe(), of.bellName())) {
            tokens.send();
        }
    }

    /** Wakes whoever sleeps on the word, of this process or the other. */
    void wakeAll(ByteBuffer memory, int word) {
        Futex futex = futexes.futex();
        if (futex != null) {
            futex.wake(address(futex, memory) + word);
        }
    }
}
