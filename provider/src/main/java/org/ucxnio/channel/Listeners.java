package org.ucxnio.channel;

import java.util.Arrays;
import org.ucxnio.selector.ChannelListener;
import org.ucxnio.transport.ReadinessListener;

/** The selectors' keys that listen to a channel. Thread-safe; firing allocates nothing. */
final class Listeners implements ReadinessListener {
    private static final ChannelListener[] NONE = {};

    private volatile ChannelListener[] listeners = NONE;

    synchronized void add(ChannelListener listener) {
        // The usual case, which a process that starts is to reach without reflection.
        if (listeners.length == 0) {
            listeners = new ChannelListener[] {listener};
            return;
        }
        ChannelListener[] grown = Arrays.copyOf(listeners, listeners.length + 1);
        grown[listeners.length] = listener;
        listeners = grown;
    }

    synchronized void remove(ChannelListener listener) {
        int kept = 0;
        ChannelListener[] rest = new ChannelListener[listeners.length];
        for (ChannelListener each : listeners) {
            if (each != listener) {
                rest[kept++] = each;
            }
        }
        listeners = kept == 0 ? NONE : Arrays.copyOf(rest, kept);
    }

    boolean areSeveral() {
        return listeners.length > 1;
    }

    @Override
    public void onReady() {
        for (ChannelListener listener : listeners) {
            listener.onReady();
        }
    }

    /** Frees the kernel channel of the keys that cancelled keys of ours have left on it. */
    void releaseKernelKeys() {
        for (ChannelListener listener : listeners) {
            listener.releaseKernelKey();
        }
    }
}
