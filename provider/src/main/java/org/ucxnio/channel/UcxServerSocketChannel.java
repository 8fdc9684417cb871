package org.ucxnio.channel;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.selector.ChannelListener;
import org.ucxnio.selector.TransportChannel;
import org.ucxnio.transport.TransportWorker;
import org.ucxnio.transport.WorkerGroup;

/**
 * A server channel: a listener of the kernel ({@link KernelDoor}). Locks: accept lock (held by an accepting
 * thread), then the state lock (held while binding).
 */
public final class UcxServerSocketChannel extends ServerSocketChannel implements TransportChannel {
    private final ChannelServices services;
    private final ServerSocketChannel kernel;
    private final Listeners listeners = new Listeners();
    private final KernelDoor door;
    private final ReentrantLock acceptLock = new ReentrantLock();
    private final ReentrantLock stateLock = new ReentrantLock();

    // -- written with the state lock held --
    private volatile InetSocketAddress localAddress;
    private ServerSocket adaptor;
    // -- end --

    public UcxServerSocketChannel(ChannelServices services, ProtocolFamily family) throws IOException {
        super(services.provider());
        this.services = services;
        this.kernel = family == null
                ? services.platform().openServerSocketChannel()
                : services.platform().openServerSocketChannel(family);
        this.door = new KernelDoor(this, services, kernel, listeners);
    }

    // -- bind --------------------------------------------------------------------------------------------------------

    @Override
    public ServerSocketChannel bind(SocketAddress local, int requestedBacklog) throws IOException {
        stateLock.lock();
        try {
            bindKernel(local, requestedBacklog);
            InetSocketAddress bound = (InetSocketAddress) kernel.getLocalAddress();
            localAddress = bound;
            door.bound(bound);
        } finally {
            stateLock.unlock();
        }
        return this;
    }

    private void bindKernel(SocketAddress local, int requestedBacklog) throws IOException {
        try {
            kernel.bind(local, requestedBacklog);
        } catch (BindException e) {
            boolean yielded = local instanceof InetSocketAddress address && door.yieldPort(address.getPort());
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
            return isBlocking() ? door.acceptWaiting(0) : door.acceptNow();
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
            return door.acceptWaiting(timeoutNanos);
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

    // -- close -------------------------------------------------------------------------------------------------------

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        door.close();
        listeners.onReady();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        acceptLock.lock();
        try {
            ensureOpen();
            door.configureBlocking(block);
        } finally {
            acceptLock.unlock();
        }
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
        return this;
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
    public boolean isKernelsAlone() {
        return true;
    }

    @Override
    public int transportReadyOps(int interest) {
        return 0;
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
