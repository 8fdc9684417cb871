package org.ucxnio.channel;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.spi.SelectorProvider;
import org.ucxnio.jdk.TransferHook;
import org.ucxnio.link.Bell;
import org.ucxnio.selector.ChannelListener;
import org.ucxnio.selector.TransportChannel;
import org.ucxnio.transport.TransportWorker;
import org.ucxnio.transport.WorkerGroup;

/** What a socket channel has to do with its stream, and what selectors ask of it. */
abstract class StreamChannel extends StreamOwner implements TransportChannel {
    /** Written once, before the channel is connected; null until then. */
    volatile KernelStream stream;

    /** Null before the first file. Guarded by the write lock. */
    private FileSender sender;

    StreamChannel(SelectorProvider provider) {
        super(provider);
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
        KernelStream connected = stream;
        if (connected != null) {
            connected.settle();
        }
    }

    // -- for files ---------------------------------------------------------------------------------------------------

    /** {@inheritDoc} Callers that hold the lock of the mode are to let go of it while they wait, as they do between pieces. */
    @Override
    final long transfer(FileChannel file, long position, long count) throws IOException {
        if (isBlocking() && Thread.holdsLock(blockingLock())) {
            return TransferHook.DECLINED;
        }
        writeLock.lock();
        try {
            KernelStream connected = stream;
            if (connected == null || !isOpen() || isOutputShutdown()) {
                return TransferHook.DECLINED;
            }
            if (sender == null) {
                sender = new FileSender(connected, this);
            }
            return sender.transfer(file, position, count);
        } finally {
            unlockWrite();
        }
    }

    // -- for selectors -----------------------------------------------------------------------------------------------

    /** Null where the kernel alone tells what the channel is ready for. */
    final Readiness readiness() {
        KernelStream connected = stream;
        return connected == null ? null : connected.readiness();
    }

    @Override
    public final boolean isKernelsAlone() {
        return readiness() == null;
    }

    @Override
    public final int ringOps() {
        Readiness readiness = readiness();
        return readiness == null ? 0 : readiness.ringOps();
    }

    @Override
    public final int kernelOps(int interest) {
        Readiness readiness = readiness();
        return readiness == null ? interest : readiness.kernelOps(interest);
    }

    @Override
    public final int onKernelReady(int ops) {
        Readiness readiness = readiness();
        return readiness == null ? ops : readiness.onKernelReady(ops);
    }

    @Override
    public final boolean arm(int ops, Bell bell) {
        Readiness readiness = readiness();
        return readiness == null || readiness.arm(ops, bell);
    }

    @Override
    public final void disarm() {
        Readiness readiness = readiness();
        if (readiness != null) {
            readiness.disarm();
        }
    }

    @Override
    public final TransportWorker bindTo(WorkerGroup group) {
        homeUnlessKnown(group);
        KernelStream connected = stream;
        return connected == null ? null : (TransportWorker) connected.driver();
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
