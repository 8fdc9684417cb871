package org.ucxnio.channel;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.connect.AcceptWatch;
import org.ucxnio.connect.Accepted;
import org.ucxnio.connect.Companion;
import org.ucxnio.selector.ChannelListener;
import org.ucxnio.selector.TransportChannel;
import org.ucxnio.transport.TransportWorker;
import org.ucxnio.transport.WorkerGroup;

/**
 * A server channel: a plain listener of the kernel for anyone, and beside it a companion for accelerated clients. Locks: accept lock
 * (held by an accepting thread), then the state lock (held while binding), then that of the arrivals (a leaf).
 */
public final class UcxServerSocketChannel extends ServerSocketChannel implements TransportChannel {
    private static final int DEFAULT_BACKLOG = 50;
    private static final String PLAIN_CLIENT = "client not accelerated";

    private final ChannelServices services;
    private final ServerSocketChannel kernel;
    private final AcceptWatch watch;
    private final Listeners listeners = new Listeners();
    private final Arrivals arrivals;
    private final ReentrantLock acceptLock = new ReentrantLock();
    private final ReentrantLock stateLock = new ReentrantLock();

    // -- written with the state lock held --
    private volatile InetSocketAddress localAddress;
    private volatile Companion companion;
    private Integer receiveBuffer;
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
        this.arrivals = new Arrivals(kernel, listeners::onReady);
        this.watch = services.connector().watch(kernel, arrivals::kernelAcceptable);
    }

    // -- bind --------------------------------------------------------------------------------------------------------

    @Override
    public ServerSocketChannel bind(SocketAddress local, int requestedBacklog) throws IOException {
        stateLock.lock();
        try {
            bindKernel(local, requestedBacklog);
            int backlog = requestedBacklog < 1 ? DEFAULT_BACKLOG : requestedBacklog;
            arrivals.backlog(backlog);
            InetSocketAddress bound = (InetSocketAddress) kernel.getLocalAddress();
            localAddress = bound;
            companion = services.connector().openCompanion(bound, backlog, receiveBuffer, arrivals);
        } finally {
            stateLock.unlock();
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
        acceptLock.lock();
        try {
            ensureBound();
            return isBlocking() ? acceptWithin(0) : acceptNow();
        } finally {
            acceptLock.unlock();
        }
    }

    /** {@link #accept} in blocking mode, waiting {@code timeoutNanos} at most (0: without bound) and then returning null; for the adaptor. */
    SocketChannel acceptBlocking(long timeoutNanos) throws IOException {
        acceptLock.lock();
        try {
            ensureBound();
            if (!isBlocking()) {
                throw new IllegalBlockingModeException();
            }
            return acceptWithin(timeoutNanos);
        } finally {
            acceptLock.unlock();
        }
    }

    private void ensureOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private void ensureBound() throws ClosedChannelException {
        ensureOpen();
        if (localAddress == null) {
            throw new NotYetBoundException();
        }
    }

    private SocketChannel acceptNow() throws IOException {
        Object next = arrivals.poll(this::resumeCompanion);
        if (next instanceof Accepted accelerated) {
            return new UcxSocketChannel(services, accelerated);
        }
        return next == null ? null : new UcxSocketChannel(services, (SocketChannel) next, PLAIN_CLIENT);
    }

    private void resumeCompanion() {
        Companion open = companion;
        if (open != null) {
            open.resume();
        }
    }

    private SocketChannel acceptWithin(long timeoutNanos) throws IOException {
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
                arrivals.await(watch, left);
                channel = isOpen() ? acceptNow() : null;
            }
        } catch (ClosedChannelException e) {
            // closed while accepting: end() says which way
        } finally {
            end(channel != null);
        }
        return channel;
    }

    // -- close -------------------------------------------------------------------------------------------------------

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        Companion open = companion;
        if (open != null) {
            open.close();
        }
        arrivals.close();
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
        return localAddress;
    }

    /** The local address, even after close; for the socket adaptor. */
    InetSocketAddress localAddressOrNull() {
        return localAddress;
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        Objects.requireNonNull(option);
        // The kernel's channel looks at the option before it finds itself closed.
        kernel.setOption(option, value);
        if (option.equals(StandardSocketOptions.SO_RCVBUF)) {
            setReceiveBuffer((Integer) value);
        }
        return this;
    }

    /** Accepted connections inherit it from the listener, and an accelerated one's listener is the companion. */
    private void setReceiveBuffer(int bytes) throws IOException {
        stateLock.lock();
        try {
            receiveBuffer = bytes;
            if (companion != null) {
                companion.receiveBuffer(bytes);
            }
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return kernel.getOption(Objects.requireNonNull(option));
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return kernel.supportedOptions();
    }

    @Override
    public ServerSocket socket() {
        stateLock.lock();
        try {
            if (adaptor == null) {
                adaptor = ServerSocketAdaptor.of(this);
            }
            return adaptor;
        } finally {
            stateLock.unlock();
        }
    }

    // -- for selectors -----------------------------------------------------------------------------------------------

    @Override
    public SelectableChannel kernelChannel() {
        return isOpen() ? kernel : null;
    }

    @Override
    public int transportReadyOps() {
        return arrivals.isEmpty() ? 0 : SelectionKey.OP_ACCEPT;
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
        String state = !isOpen() ? "closed" : localAddress == null ? "unbound" : localAddress.toString();
        return "java.nio.channels.ServerSocketChannel[" + state + "]";
    }
}
