package org.ucxnio.channel;

import org.ucxnio.counters.Log;
import org.ucxnio.selector.VirtualThreads;
import org.ucxnio.session.Host;
import org.ucxnio.session.Movable;

/** Has a connection moved off TCP once that is worth it: the end that has connected asks the peer, the other is there to be asked. */
final class MoveRequest {
    private final Movable stream;
    private final StreamOwner owner;
    private final ChannelServices services;
    private final Counted counted;
    private final boolean onThisHost;

    /** Calls that moved bytes, and these bytes; a lost count does no harm. */
    private int uses;

    private long carried;

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

    /** A call has moved bytes over the kernel. */
    void used(long bytes) {
        if (decided) {
            return;
        }
        carried += bytes;
        int used = ++uses;
        if (!services.policy().isDue(used)) {
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
