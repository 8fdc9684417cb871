package org.ucxnio.channel;

import org.ucxnio.counters.Log;
import org.ucxnio.jdk.LateSubclasses;
import org.ucxnio.selector.VirtualThreads;
import org.ucxnio.session.Host;
import org.ucxnio.session.Movable;

/** Has a connection moved off TCP once that is worth it: the end that has connected asks the peer, the other is there to be asked. */
final class MoveRequest {
    /** Calls that are timed one behind the other, of {@link MovePolicy#ASK_USES}: as many times from a write to a read between them as back. */
    private static final int TIMED_CALLS = 9;

    /** A connection rests most of the time where it does so many times as long as it has something under way. */
    private static final int RESTS = 2;

    private final Movable stream;
    private final StreamOwner owner;
    private final ChannelServices services;
    private final Counted counted;
    private final boolean onThisHost;

    /** Whether somebody says when connections move. */
    private final boolean fixed;

    // -- a lost count does no harm --

    /** Calls that moved bytes, and these bytes. */
    private int uses;

    private long carried;

    /** When the last call was that was timed, and whether it has read. */
    private long calledAt;

    private boolean hasRead;

    /** Time between those that were timed since the connection was last asked for. */
    private long underWayNanos;

    private long restedNanos;

    // -- end --

    /** Written behind the decision, by the one who asks. */
    private volatile boolean sleepers;

    /** The peer was asked, or never will be. Written with the monitor held, or before anybody else sees this. */
    private volatile boolean decided;

    MoveRequest(Movable stream, StreamOwner owner, ChannelServices services, Counted counted, boolean onThisHost) {
        this.stream = stream;
        this.owner = owner;
        this.services = services;
        this.counted = counted;
        this.onThisHost = onThisHost;
        this.fixed = services.policy().isFixed();
    }

    /** Others may speak of the connection. */
    void begin() {
        if (services.policy().atOnce()) {
            ask();
        }
    }

    /** Where there is no memory for that the connection stays plain, and the call that it was accepted by goes on. */
    static void accept(Movable stream, Host host) {
        try {
            host.accepted(stream);
        } catch (OutOfMemoryError e) {
            Log.debug("A connection stays plain for want of memory");
        }
    }

    /** Where there is no memory for that it is asked again once the connection was used as much once more. */
    private void ask() {
        synchronized (this) {
            if (decided) {
                return;
            }
            decided = true;
        }
        sleepers = waiter() == MovePolicy.Waiter.PLATFORM_THREAD;
        try {
            services.host().request(stream, services.policy().pace());
        } catch (OutOfMemoryError e) {
            uses = 0;
            carried = 0;
            decided = false;
        }
    }

    /** Looks at the clock. A connection rests from when it has read to when it writes the next time. */
    private void time(int number, boolean read) {
        if (number == 0 || fixed) {
            return;
        }
        long now = services.policy().nanos();
        if (number == 1) {
            underWayNanos = 0;
            restedNanos = 0;
        } else if (hasRead && !read) {
            restedNanos += now - calledAt;
        } else {
            underWayNanos += now - calledAt;
        }
        calledAt = now;
        hasRead = read;
    }

    /** As {@link Movable#hasSleepers}. */
    boolean hasSleepers() {
        return sleepers;
    }

    private MovePolicy.Waiter waiter() {
        if (!owner.isBlocking()) {
            return MovePolicy.Waiter.SELECTOR;
        }
        return VirtualThreads.isCurrent() ? MovePolicy.Waiter.VIRTUAL_THREAD : MovePolicy.Waiter.PLATFORM_THREAD;
    }

    /** A call has read bytes from the kernel, or written them there. */
    void used(long bytes, boolean read) {
        if (decided) {
            return;
        }
        carried += bytes;
        int used = ++uses;
        int number = used % MovePolicy.ASK_USES;
        if (number > TIMED_CALLS && !fixed) {
            return;
        }
        time(number, read);
        if (used == MovePolicy.ASK_USES) {
            LateSubclasses.load();
        }
        if (!services.policy().isDue(used, restedNanos > RESTS * underWayNanos)) {
            return;
        }
        String refusal = onThisHost ? services.policy().refusal(waiter(), carried / used) : null;
        if (refusal == null) {
            ask();
        } else {
            counted.staysPlain(refusal);
        }
    }
}
