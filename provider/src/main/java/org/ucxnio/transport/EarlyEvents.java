package org.ucxnio.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ucxnio.config.Config;

/**
 * What is said to a connection that is not bound yet, in order. A peer that keeps to its window sends no more bytes than the window
 * has, in no more messages. One that sends more is broken off at once, and nothing more is kept. Guarded by the connection's monitor.
 */
final class EarlyEvents {
    /** Events that are no messages with bytes: where the peer receives, ends, the application's own calls. */
    private static final int MAX_OTHERS = 16;

    private final ControlPort control;
    private final int maxBytes;
    private final int maxEvents;
    private final List<Runnable> events = new ArrayList<>(2);
    private long bytes;
    private boolean flooded;

    EarlyEvents(Config config, ControlPort control) {
        this.control = control;
        this.maxBytes = config.windowBytes();
        this.maxEvents = config.windowMessages() + MAX_OTHERS;
    }

    /** Bytes of the stream come; their event follows. Returns whether they may be kept. */
    boolean admit(int count) {
        bytes += count;
        if (bytes > maxBytes) {
            flood();
        }
        return !flooded;
    }

    void add(Runnable event) {
        if (events.size() == maxEvents) {
            flood();
        }
        if (!flooded) {
            events.add(event);
        }
    }

    private void flood() {
        if (!flooded) {
            flooded = true;
            control.abort();
        }
    }

    boolean hasBytes() {
        return bytes > 0;
    }

    /** Whether the peer said more than could be kept. */
    boolean isFlooded() {
        return flooded;
    }

    /** The connection is bound: hands the events on and forgets them. */
    void drainTo(Consumer<Runnable> runner) {
        events.forEach(runner);
        events.clear();
    }
}
