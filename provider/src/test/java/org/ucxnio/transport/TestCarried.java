package org.ucxnio.transport;

import java.util.concurrent.atomic.AtomicInteger;
import org.ucxnio.link.Carried;
import org.ucxnio.link.Tokens;

/** A connection that counts what its link tells it. It has no socket: a test says when the peer's has ended. */
final class TestCarried implements Carried {
    private final Tokens tokens = new Tokens(null, socket -> true);

    /** Called when selectors have to look. */
    volatile Runnable onReady = () -> {};

    final AtomicInteger signals = new AtomicInteger();
    final AtomicInteger switchesKnown = new AtomicInteger();
    final AtomicInteger drained = new AtomicInteger();
    final AtomicInteger broken = new AtomicInteger();

    @Override
    public Tokens tokens() {
        return tokens;
    }

    @Override
    public boolean hasSwitched() {
        return true;
    }

    @Override
    public void onReady() {
        signals.incrementAndGet();
        onReady.run();
    }

    @Override
    public void onSwitchKnown() {
        switchesKnown.incrementAndGet();
    }

    @Override
    public void onDrained() {
        drained.incrementAndGet();
    }

    @Override
    public void onBroken() {
        broken.incrementAndGet();
    }
}
