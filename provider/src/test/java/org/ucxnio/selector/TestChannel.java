package org.ucxnio.selector;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ucxnio.transport.TestWorkers;
import org.ucxnio.transport.TransportWorker;
import org.ucxnio.transport.WorkerGroup;

/** A channel whose readiness the test sets. */
class TestChannel extends AbstractSelectableChannel implements TransportChannel {
    private final List<ChannelListener> listeners = new CopyOnWriteArrayList<>();
    private volatile int ready;
    private Runnable atNextLook;

    TestChannel() throws IOException {
        super(SelectorProvider.provider());
        configureBlocking(false);
    }

    /** One that has a worker of UCX. */
    static TestChannel withWorker() throws IOException {
        return new TestChannel() {
            private TransportWorker worker;

            @Override
            public TransportWorker bindTo(WorkerGroup group) {
                try {
                    worker = worker == null ? TestWorkers.of(group) : worker;
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                return worker;
            }
        };
    }

    /** Sets what is ready and tells the listeners, as a connection does. */
    void ready(int ops) {
        ready = ops;
        listeners.forEach(ChannelListener::onReady);
    }

    /** Sets what is ready and tells nobody, as reading and writing do. */
    void used(int ops) {
        ready = ops;
    }

    /** Runs once, in the midst of a selection: when it looks at this channel next. */
    void atNextLook(Runnable action) {
        atNextLook = action;
    }

    int listeners() {
        return listeners.size();
    }

    @Override
    public int validOps() {
        return SelectionKey.OP_READ | SelectionKey.OP_WRITE;
    }

    @Override
    public SelectableChannel kernelChannel() {
        return null;
    }

    @Override
    public boolean isKernelsAlone() {
        return false;
    }

    @Override
    public int transportReadyOps(int interest) {
        Runnable action = atNextLook;
        if (action != null) {
            atNextLook = null;
            action.run();
        }
        return ready & interest;
    }

    @Override
    public TransportWorker bindTo(WorkerGroup group) {
        return null;
    }

    @Override
    public void addListener(ChannelListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(ChannelListener listener) {
        listeners.remove(listener);
    }

    @Override
    protected void implCloseSelectableChannel() {
        // nothing behind it
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
        // never blocks
    }
}
