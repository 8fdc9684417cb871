package org.ucxnio.connect;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import org.ucxnio.counters.Log;

/** Tells once, each time it is armed, that a kernel listener has a connection to accept. Thread-safe. */
public final class AcceptWatch implements ControlLoop.Handler {
    private static final long RETRY_NANOS = 100_000_000;

    private final ControlLoop loop;
    private final ServerSocketChannel listener;
    private final Runnable onAcceptable;

    // -- guarded by this --
    private Registration registration;
    private boolean armed;
    private boolean closed;
    // -- end --

    AcceptWatch(ControlLoop loop, ServerSocketChannel listener, Runnable onAcceptable) {
        this.loop = loop;
        this.listener = listener;
        this.onAcceptable = onAcceptable;
    }

    /** Calls back, on the control thread, when there is something to accept or the listener is closed. */
    public synchronized void arm() {
        if (armed || closed) {
            return;
        }
        try {
            if (registration == null) {
                registration = loop.register(listener, SelectionKey.OP_ACCEPT, this);
            } else {
                registration.interest(SelectionKey.OP_ACCEPT);
            }
            armed = true;
        } catch (IOException | RuntimeException e) {
            Log.debug("A listener was closed while it was waited for");
            loop.execute(onAcceptable);
        }
    }

    /** Closes the listener; its port is free on return. */
    public synchronized void closeListener() {
        closed = true;
        if (registration == null) {
            ControlLoop.close(listener);
        } else {
            registration.close();
        }
    }

    @Override
    public void onReady(Registration ready) throws IOException {
        synchronized (this) {
            armed = false;
            ready.interest(0);
        }
        try {
            // Who then finds nothing to accept arms it again.
            onAcceptable.run();
        } catch (RuntimeException | Error e) {
            // The listener is the application's: no error of ours closes it.
            Log.error("A listener was not told of a connection and will be told again", e);
            loop.schedule(RETRY_NANOS, this::arm);
        }
    }

    @Override
    public void onFailure(IOException cause) {
        onAcceptable.run();
    }
}
