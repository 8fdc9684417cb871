package org.ucxnio.channel;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.connect.AcceptQueue;
import org.ucxnio.connect.AcceptWatch;
import org.ucxnio.connect.Accepted;
import org.ucxnio.connect.Companion;
import org.ucxnio.selector.ChannelListener;
import org.ucxnio.selector.TransportChannel;
import org.ucxnio.transport.TransportWorker;
import org.ucxnio.transport.WorkerGroup;

/**
 * A server channel: a plain listener of the kernel for anyone, and beside it a companion for accelerated clients. Locks: accept lock
 * (held by an accepting thread), then the queue lock (a leaf).
 */
public final class UcxServerSocketChannel extends ServerSocketChannel implements TransportChannel {
    private static final int DEFAULT_BACKLOG = 50;
    private static final String PLAIN_CLIENT = "client not accelerated";

    private final ChannelServices services;
    private final ServerSocketChannel kernel;
    private final AcceptWatch watch;
    private final Listeners listeners = new Listeners();
    private final ReentrantLock acceptLock = new ReentrantLock();
    private final ReentrantLock queueLock = new ReentrantLock();
    private final Condition acceptable = queueLock.newCondition();
    private final Queue queue = new Queue();

    // -- guarded by queueLock --
    private final Deque<Accepted> accepted = new ArrayDeque<>();
    private boolean kernelReady;
    private boolean closed;
    private int backlog = DEFAULT_BACKLOG;
    private Companion companion;
    private ServerSocketAdaptor adaptor;
    // -- end --

    public UcxServerSocketChannel(ChannelServices services, ProtocolFamily family) throws IOException {
        super(services.provider());
        this.services = services;
        this.kernel = family == null
                ? services.platform().openServerSocketChannel()
                : services.platform().openServerSocketChannel(family);
        // One blocking accept waits for clients of both kinds, so the kernel is never waited for alone.
        kernel.configureBlocking(false);
        this.watch = services.connector().watch(kernel, this::kernelAcceptable);
    }

    // -- bind --------------------------------------------------------------------------------------------------------

    @Override
    public ServerSocketChannel bind(SocketAddress local, int requestedBacklog) throws IOException {
        queueLock.lock();
        try {
            bindKernel(local, requestedBacklog);
            backlog = requestedBacklog < 1 ? DEFAULT_BACKLOG : requestedBacklog;
            InetSocketAddress bound = (InetSocketAddress) kernel.getLocalAddress();
            companion = services.connector().openCompanion(bound, backlog, queue);
        } finally {
            queueLock.unlock();
        }
        return this;
    }

    private void bindKernel(SocketAddress local, int requestedBacklog) throws IOException {
        try {
            kernel.bind(local, requestedBacklog);
        } catch (BindException e) {
            boolean yielded = local instanceof InetSocketAddress address
                    && services.connector().yieldPort(address.getPort());
            if (!yielded) {
                throw e;
            }
            kernel.bind(local, requestedBacklog);
        }
    }

    // -- accept ------------------------------------------------------------------------------------------------------

    @Override
    public SocketChannel accept() throws IOException {
        return acceptWithin(0);
    }

    /** {@link #accept}; in blocking mode it waits {@code timeoutNanos} at most (0: without bound) and then returns null. */
    SocketChannel acceptWithin(long timeoutNanos) throws IOException {
        acceptLock.lock();
        try {
            ensureOpen();
            if (kernel.getLocalAddress() == null) {
                throw new NotYetBoundException();
            }
            return isBlocking() ? acceptBlocking(timeoutNanos) : acceptNow();
        } finally {
            acceptLock.unlock();
        }
    }

    private void ensureOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private SocketChannel acceptNow() throws IOException {
        Accepted next = poll();
        if (next != null) {
            return new UcxSocketChannel(services, next);
        }
        SocketChannel plain = kernel.accept();
        return plain == null ? null : new UcxSocketChannel(services, plain, PLAIN_CLIENT);
    }

    private Accepted poll() {
        Accepted next;
        boolean wasFull;
        queueLock.lock();
        try {
            wasFull = accepted.size() >= backlog;
            next = accepted.poll();
        } finally {
            queueLock.unlock();
        }
        if (wasFull && companion != null) {
            companion.resume();
        }
        return next;
    }

    private SocketChannel acceptBlocking(long timeoutNanos) throws IOException {
        SocketChannel channel = null;
        try {
            begin();
            long deadline = System.nanoTime() + timeoutNanos;
            channel = acceptNow();
            while (channel == null && isOpen()) {
                long left = timeoutNanos == 0 ? Long.MAX_VALUE : deadline - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                awaitAcceptable(left);
                channel = isOpen() ? acceptNow() : null;
            }
        } catch (ClosedChannelException e) {
            // closed while accepting: end() says which way
        } finally {
            end(channel != null);
        }
        return channel;
    }

    /** Waits for a connection, the end of the channel or of the time. */
    private void awaitAcceptable(long nanos) {
        boolean interrupted = false;
        queueLock.lock();
        try {
            kernelReady = false;
            watch.arm();
            long left = nanos;
            while (accepted.isEmpty() && !kernelReady && !closed && left > 0) {
                try {
                    left = acceptable.awaitNanos(left);
                } catch (InterruptedException e) {
                    // Whoever interrupts us is about to close the channel, which ends the wait.
                    interrupted = true;
                }
            }
        } finally {
            queueLock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void kernelAcceptable() {
        queueLock.lock();
        try {
            kernelReady = true;
            acceptable.signalAll();
        } finally {
            queueLock.unlock();
        }
    }

    /** Where the companion puts accelerated connections. */
    private final class Queue implements AcceptQueue {
        @Override
        public boolean hasRoom() {
            queueLock.lock();
            try {
                return accepted.size() < backlog;
            } finally {
                queueLock.unlock();
            }
        }

        @Override
        public boolean offer(Accepted connection) {
            queueLock.lock();
            try {
                if (closed) {
                    return false;
                }
                accepted.add(connection);
                acceptable.signal();
            } finally {
                queueLock.unlock();
            }
            listeners.onReady();
            return true;
        }
    }

    // -- close -------------------------------------------------------------------------------------------------------

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        Deque<Accepted> unaccepted;
        Companion open;
        queueLock.lock();
        try {
            closed = true;
            unaccepted = new ArrayDeque<>(accepted);
            accepted.clear();
            open = companion;
            acceptable.signalAll();
        } finally {
            queueLock.unlock();
        }
        if (open != null) {
            open.close();
        }
        for (Accepted connection : unaccepted) {
            connection.connection().reset();
        }
        watch.closeListener();
        listeners.onReady();
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
        // The kernel listener stays non-blocking; accept() waits by itself.
    }

    // -- addresses and options ---------------------------------------------------------------------------------------

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        ensureOpen();
        return kernel.getLocalAddress();
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        Objects.requireNonNull(option);
        ensureOpen();
        kernel.setOption(option, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        Objects.requireNonNull(option);
        ensureOpen();
        return kernel.getOption(option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return kernel.supportedOptions();
    }

    @Override
    public ServerSocket socket() {
        queueLock.lock();
        try {
            if (adaptor == null) {
                adaptor = ServerSocketAdaptor.of(this);
            }
            return adaptor;
        } finally {
            queueLock.unlock();
        }
    }

    // -- for selectors -----------------------------------------------------------------------------------------------

    @Override
    public SelectableChannel kernelChannel() {
        return isOpen() ? kernel : null;
    }

    @Override
    public int transportReadyOps() {
        queueLock.lock();
        try {
            return accepted.isEmpty() ? 0 : SelectionKey.OP_ACCEPT;
        } finally {
            queueLock.unlock();
        }
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
    public String toString() {
        StringBuilder text = new StringBuilder("java.nio.channels.ServerSocketChannel[");
        try {
            SocketAddress local = isOpen() ? kernel.getLocalAddress() : null;
            text.append(!isOpen() ? "closed" : local == null ? "unbound" : local.toString());
        } catch (IOException e) {
            text.append("closed");
        }
        return text.append(']').toString();
    }
}
