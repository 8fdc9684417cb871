package org.ucxnio.selector;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.function.Consumer;

/** The many ways to call for a selection, and what keys and kernel channels tell their selector. */
abstract class SelectorCalls extends AbstractSelector {
    SelectorCalls(SelectorProvider provider) {
        super(provider);
    }

    /** A key's readiness or kernel channel may have changed. Any thread. */
    abstract void signal(UcxSelectionKey key);

    /** A new key or interest takes effect with the next selection; one that sleeps goes on sleeping, as in the JDK. Any thread. */
    abstract void enqueue(UcxSelectionKey key);

    /** A kernel channel is ready, as the platform's selector says by its key. During a selection. */
    abstract void onKernelReady(SelectionKey inner);

    /** A ring may be ready. During a selection. */
    abstract void onRung(UcxSelectionKey key);

    /**
     * Selects.
     *
     * @param keyAction null to put keys into the selected-key set
     * @param timeoutNanos 0 to wait for nothing, {@link Long#MAX_VALUE} to wait without bound
     */
    abstract int lockAndSelect(Consumer<SelectionKey> keyAction, long timeoutNanos) throws IOException;

    @Override
    public int selectNow() throws IOException {
        return lockAndSelect(null, 0);
    }

    @Override
    public int select() throws IOException {
        return lockAndSelect(null, Long.MAX_VALUE);
    }

    @Override
    public int select(long timeoutMillis) throws IOException {
        return lockAndSelect(null, nanos(timeoutMillis));
    }

    @Override
    public int selectNow(Consumer<SelectionKey> keyAction) throws IOException {
        return lockAndSelect(Objects.requireNonNull(keyAction), 0);
    }

    @Override
    public int select(Consumer<SelectionKey> keyAction) throws IOException {
        return select(keyAction, 0);
    }

    @Override
    public int select(Consumer<SelectionKey> keyAction, long timeoutMillis) throws IOException {
        return lockAndSelect(Objects.requireNonNull(keyAction), nanos(timeoutMillis));
    }

    private static long nanos(long timeoutMillis) {
        if (timeoutMillis < 0) {
            throw new IllegalArgumentException("Negative timeout");
        }
        return timeoutMillis == 0 || timeoutMillis > Long.MAX_VALUE / 1_000_000
                ? Long.MAX_VALUE
                : timeoutMillis * 1_000_000;
    }
}
