package org.ucxnio.channel;

import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.selector.ChannelListener;
import org.ucxnio.selector.TransportChannel;
import org.ucxnio.transport.TransportWorker;
import org.ucxnio.transport.WorkerGroup;

/** What a socket channel has to do with its stream: the locks of those that use it, and what selectors ask of it. */
abstract class StreamChannel extends SocketChannel implements TransportChannel {
    final ReentrantLock readLock = new ReentrantLock();
    final ReentrantLock writeLock = new ReentrantLock();
    final Listeners listeners = new Listeners();

    /** Written once, before the channel is connected; null until then. */
    volatile ByteStream stream;

    StreamChannel(SelectorProvider provider) {
        super(provider);
    }

    // -- for streams -------------------------------------------------------------------------------------------------

    abstract boolean isInputShutdown();

    abstract boolean isOutputShutdown();

    ReentrantLock readLock() {
        return readLock;
    }

    ReentrantLock writeLock() {
        return writeLock;
    }

    Listeners listeners() {
        return listeners;
    }

    /** {@link #begin} for the streams. */
    void beginBlocking() {
        begin();
    }

    /** {@link #end} for the streams. */
    void endBlocking(boolean completed) throws AsynchronousCloseException {
        end(completed);
    }

    // -- locks: whoever lets go of one does what others had to leave to it -------------------------------------------

    final void lockBoth() {
        readLock.lock();
        writeLock.lock();
    }

    final void unlockBoth() {
        writeLock.unlock();
        readLock.unlock();
        settle();
    }

    final void unlockRead() {
        readLock.unlock();
        settle();
    }

    final void unlockWrite() {
        writeLock.unlock();
        settle();
    }

    private void settle() {
        ByteStream connected = stream;
        if (connected != null) {
            connected.settle();
        }
    }

    // -- for selectors -----------------------------------------------------------------------------------------------

    @Override
    public final int ringOps() {
        return stream instanceof KernelStream moving ? moving.ringOps() : 0;
    }

    @Override
    public final int kernelOps(int interest) {
        return stream instanceof KernelStream moving ? moving.kernelOps(interest) : interest;
    }

    @Override
    public final int onKernelReady(int ops) {
        return stream instanceof KernelStream moving ? moving.onKernelReady(ops) : ops;
    }

    @Override
    public final boolean arm(int ops) {
        return !(stream instanceof KernelStream moving) || moving.arm(ops);
    }

    @Override
    public final void disarm() {
        if (stream instanceof KernelStream moving) {
            moving.disarm();
        }
    }

    @Override
    public final TransportWorker bindTo(WorkerGroup group) throws IOException {
        return stream instanceof AcceleratedStream accelerated
                ? accelerated.connection().bind(group)
                : null;
    }

    @Override
    public final void addListener(ChannelListener listener) {
        listeners.add(listener);
    }

    @Override
    public final void removeListener(ChannelListener listener) {
        listeners.remove(listener);
    }
}
