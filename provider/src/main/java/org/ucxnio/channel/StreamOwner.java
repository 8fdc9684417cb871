package org.ucxnio.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.link.Home;
import org.ucxnio.transport.WorkerGroup;

/** What a stream knows of the channel that it belongs to: its locks, its state, and who wants to hear of it. */
abstract class StreamOwner extends SocketChannel {
    final ReentrantLock readLock = new ReentrantLock();
    final ReentrantLock writeLock = new ReentrantLock();
    final Listeners listeners = new Listeners();

    /** The workers of the first selector that the channel was registered with; null before. */
    private volatile WorkerGroup home;

    StreamOwner(SelectorProvider provider) {
        super(provider);
    }

    /** The local address, even after close. */
    abstract InetSocketAddress localAddressOrNull();

    /** The address connected to, or being connected to, even after close. */
    abstract InetSocketAddress remoteAddressOrNull();

    abstract boolean isInputShutdown();

    abstract boolean isOutputShutdown();

    /**
     * Has the kernel's socket send short segments at once, whatever the application has set, or as the application has set it again. Not once it
     * carries tokens. Returns whether it does now what the application has not asked for.
     */
    abstract boolean hurry(boolean on);

    /** As {@link FileTransfers}. */
    abstract long transfer(FileChannel file, long position, long count) throws IOException;

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

    final void homeUnlessKnown(WorkerGroup group) {
        if (home == null) {
            home = group;
        }
    }

    /** Where a link of the connection should live; null where no selector has it. */
    final Home home() {
        return home;
    }
}
