package org.ucxnio.connect;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import org.ucxnio.counters.Log;

/** Tells once, each time it is armed, that a kernel listener has a connection to accept. {@link #arm} is thread-safe. */
public final class AcceptWatch implements ControlLoop.Handler {
    private final ControlLoop loop;
    private final ServerSocketChannel listener;
    private final Runnable onAcceptable;

    AcceptWatch(ControlLoop loop, ServerSocketChannel listener, Runnable onAcceptable) {
        this.loop = loop;
        this.listener = listener;
        this.onAcceptable = onAcceptable;
    }

    /** Calls back, on the control thread, when there is something to accept or the listener is closed. */
    public void arm() {
        loop.execute(this::watch);
    }

    private void watch() {
        try {
            loop.register(listener, SelectionKey.OP_ACCEPT, this);
        } catch (IOException | RuntimeException e) {
            Log.debug("A listener was closed while it was waited for");
            onAcceptable.run();
        }
    }

    /** Closes the listener; its port is free on return. */
    public void closeListener() {
        loop.closeAndLetGo(listener);
    }

    @Override
    public void onReady(SelectionKey key) {
        key.interestOps(0);
        onAcceptable.run();
    }

    @Override
    public void onFailure(IOException cause) {
        onAcceptable.run();
    }
}
