package org.ucxnio.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.connect.Accepted;
import org.ucxnio.selector.ChannelListener;
import org.ucxnio.selector.TransportChannel;
import org.ucxnio.transport.TransportWorker;
import org.ucxnio.transport.WorkerGroup;

/**
 * A socket channel: accelerated where its peer is, an ordinary kernel connection otherwise. It keeps the contract of the JDK's own;
 * see the package for its locks.
 */
public final class UcxSocketChannel extends SocketChannel implements TransportChannel {
    private static final int UNCONNECTED = 0;
    private static final int CONNECTING = 1;
    private static final int CONNECTED = 2;
    private static final int CLOSED = 3;

    private final ChannelServices services;
    private final ReentrantLock readLock = new ReentrantLock();
    private final ReentrantLock writeLock = new ReentrantLock();
    private final ReentrantLock stateLock = new ReentrantLock();
    private final Listeners listeners = new Listeners();
    private final KernelSocket kernel;

    /** Arguments of a read and a write of one buffer; guarded by the read and the write lock. */
    private final ByteBuffer[] readOne = new ByteBuffer[1];

    private final ByteBuffer[] writeOne = new ByteBuffer[1];

    // -- written with the state lock held, only rising; read without --
    private volatile int state;
    private volatile boolean inputShutdown;
    private volatile boolean outputShutdown;

    /** Written once, before the state becomes CONNECTED. */
    private volatile ByteStream stream;
    // -- end --

    // -- guarded by stateLock --
    private Connecting connecting;
    private InetSocketAddress localAddress;
    private InetSocketAddress remoteAddress;
    private SocketAdaptor adaptor;
    // -- end --

    public UcxSocketChannel(ChannelServices services, ProtocolFamily family) throws IOException {
        super(services.provider());
        this.services = services;
        this.kernel = new KernelSocket(services.platform(), family);
    }

    /** An accepted connection that is plain. */
    UcxSocketChannel(ChannelServices services, SocketChannel accepted, String plainReason) throws IOException {
        super(services.provider());
        this.services = services;
        this.kernel = new KernelSocket(services.platform(), accepted);
        adopt(accepted, plainReason);
        this.state = CONNECTED;
    }

    /** An accepted connection that is accelerated. */
    UcxSocketChannel(ChannelServices services, Accepted accepted) {
        super(services.provider());
        this.services = services;
        this.kernel = new KernelSocket(services.platform(), accepted.control());
        adopt(accepted);
        this.state = CONNECTED;
    }

    private void adopt(Accepted accepted) {
        kernel.replace(accepted.control());
        localAddress = accepted.local();
        remoteAddress = accepted.remote();
        stream = new AcceleratedStream(
                this, accepted.connection(), services.connector().transport());
        accepted.connection().setListener(listeners);
    }

    private void adopt(SocketChannel plain, String reason) throws IOException {
        kernel.replace(plain);
        remoteAddress = (InetSocketAddress) plain.getRemoteAddress();
        stream = new PlainStream(this, plain, services.plainConnections(), reason);
    }

    // -- state -------------------------------------------------------------------------------------------------------

    private void ensureOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private ByteStream ensureOpenAndConnected() throws ClosedChannelException {
        int now = state;
        if (now < CONNECTED) {
            ensureOpen();
            throw new NotYetConnectedException();
        }
        if (now > CONNECTED || !isOpen()) {
            throw new ClosedChannelException();
        }
        return stream;
    }

    @Override
    public boolean isConnected() {
        return state == CONNECTED;
    }

    @Override
    public boolean isConnectionPending() {
        return state == CONNECTING;
    }

    /** Whether the channel has been connected at some time. */
    boolean wasConnected() {
        return stream != null;
    }

    /** {@link #begin} for the streams. */
    void beginBlocking() {
        begin();
    }

    /** {@link #end} for the streams. */
    void endBlocking(boolean completed) throws AsynchronousCloseException {
        end(completed);
    }

    private void lockBoth() {
        readLock.lock();
        writeLock.lock();
    }

    private void unlockBoth() {
        writeLock.unlock();
        readLock.unlock();
    }

    // -- connect -----------------------------------------------------------------------------------------------------

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        return connectWithin(remote, 0);
    }

    /** {@link #connect} with a bound on the time it may block; for the socket adaptor. */
    boolean connectWithin(SocketAddress remote, long timeoutNanos) throws IOException {
        InetSocketAddress target = checkAddress(remote);
        lockBoth();
        try {
            Connecting started = beginConnect(target);
            try {
                started.start(timeoutNanos);
            } catch (IOException | RuntimeException e) {
                close();
                throw e;
            }
            // As in the JDK, a connect in non-blocking mode ends with finishConnect, however fast it was.
            boolean finishNow = isBlocking() || !started.ownsSocket() && started.hasSucceeded();
            return finishNow && finish(started, timeoutNanos);
        } finally {
            unlockBoth();
        }
    }

    private static InetSocketAddress checkAddress(SocketAddress remote) throws IOException {
        if (!(Objects.requireNonNull(remote) instanceof InetSocketAddress address)) {
            throw new UnsupportedAddressTypeException();
        }
        if (address.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        return address.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLocalHost(), address.getPort())
                : address;
    }

    private Connecting beginConnect(InetSocketAddress target) throws IOException {
        stateLock.lock();
        try {
            ensureOpen();
            if (state == CONNECTED) {
                throw new AlreadyConnectedException();
            }
            if (state == CONNECTING) {
                throw new ConnectionPendingException();
            }
            remoteAddress = target;
            connecting = new Connecting(services.connector(), target, kernel.channel(), this::openAlike, listeners);
            state = CONNECTING;
            return connecting;
        } finally {
            stateLock.unlock();
        }
    }

    private SocketChannel openAlike() throws IOException {
        stateLock.lock();
        try {
            return kernel.openAlike();
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        lockBoth();
        try {
            ensureOpen();
            if (state == CONNECTED) {
                return true;
            }
            if (state != CONNECTING) {
                throw new NoConnectionPendingException();
            }
            return finish(connecting, 0);
        } finally {
            unlockBoth();
        }
    }

    private boolean finish(Connecting running, long timeoutNanos) throws IOException {
        boolean done = false;
        try {
            if (isBlocking()) {
                done = await(running, timeoutNanos);
            } else {
                done = running.poll();
            }
            running.throwFailure();
        } catch (AsynchronousCloseException e) {
            close();
            throw e;
        } catch (ClosedChannelException e) {
            close();
            throw new AsynchronousCloseException();
        } catch (IOException e) {
            close();
            throw e;
        }
        if (done) {
            become(running);
            listeners.onReady();
        }
        return done;
    }

    private boolean await(Connecting running, long timeoutNanos) throws IOException {
        boolean done = false;
        try {
            begin();
            done = running.await(timeoutNanos);
        } finally {
            end(done);
        }
        return done;
    }

    private void become(Connecting finished) throws IOException {
        stateLock.lock();
        try {
            if (state != CONNECTING) {
                // Whoever closed the channel has discarded the outcome.
                throw new AsynchronousCloseException();
            }
            connecting = null;
            if (finished.accelerated() != null) {
                adopt(finished.accelerated());
            } else {
                SocketChannel plain = finished.plainSocket();
                if (plain != kernel.channel()) {
                    kernel.applyOptions(plain);
                }
                plain.configureBlocking(isBlocking());
                adopt(plain, finished.plainReason());
            }
            state = CONNECTED;
        } finally {
            stateLock.unlock();
        }
    }

    // -- read and write ----------------------------------------------------------------------------------------------

    @Override
    public int read(ByteBuffer target) throws IOException {
        return readWithin(Objects.requireNonNull(target), 0);
    }

    /** {@link #read(ByteBuffer)}; in blocking mode it waits {@code timeoutNanos} at most (0: without bound). */
    int readWithin(ByteBuffer target, long timeoutNanos) throws IOException {
        readLock.lock();
        try {
            readOne[0] = target;
            return (int) readLocked(readOne, 0, 1, timeoutNanos);
        } finally {
            readOne[0] = null;
            readLock.unlock();
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        readLock.lock();
        try {
            return readLocked(targets, offset, length, 0);
        } finally {
            readLock.unlock();
        }
    }

    /**
     * Looks whether there is anything to do, touching each buffer on the way: one whose memory was freed throws here, before anything
     * has moved.
     */
    private static boolean hasRemaining(ByteBuffer[] buffers, int offset, int length) {
        boolean some = false;
        for (int i = offset; i < offset + length; i++) {
            ByteBuffer buffer = buffers[i];
            if (buffer.hasRemaining()) {
                buffer.get(buffer.position());
                some = true;
            }
        }
        return some;
    }

    private long readLocked(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        ByteStream connected = ensureOpenAndConnected();
        if (inputShutdown) {
            return -1;
        }
        for (int i = offset; i < offset + length; i++) {
            if (targets[i].isReadOnly()) {
                throw new IllegalArgumentException("Read-only buffer");
            }
        }
        return hasRemaining(targets, offset, length) ? connected.read(targets, offset, length, timeoutNanos) : 0;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        Objects.requireNonNull(source);
        writeLock.lock();
        try {
            writeOne[0] = source;
            return (int) writeLocked(writeOne, 0, 1);
        } finally {
            writeOne[0] = null;
            writeLock.unlock();
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        writeLock.lock();
        try {
            return writeLocked(sources, offset, length);
        } finally {
            writeLock.unlock();
        }
    }

    private long writeLocked(ByteBuffer[] sources, int offset, int length) throws IOException {
        ByteStream connected = ensureOpenAndConnected();
        if (outputShutdown) {
            throw new ClosedChannelException();
        }
        return hasRemaining(sources, offset, length) ? connected.write(sources, offset, length) : 0;
    }

    /** Bytes that can be read without waiting. */
    int available() throws IOException {
        return ensureOpenAndConnected().available();
    }

    // -- end of stream -----------------------------------------------------------------------------------------------

    @Override
    public SocketChannel shutdownInput() throws IOException {
        ByteStream connected;
        stateLock.lock();
        try {
            ensureOpen();
            if (state != CONNECTED) {
                throw new NotYetConnectedException();
            }
            if (inputShutdown) {
                return this;
            }
            inputShutdown = true;
            connected = stream;
        } finally {
            stateLock.unlock();
        }
        connected.shutdownInput();
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        ByteStream connected;
        stateLock.lock();
        try {
            ensureOpen();
            if (state != CONNECTED) {
                throw new NotYetConnectedException();
            }
            if (outputShutdown) {
                return this;
            }
            outputShutdown = true;
            connected = stream;
        } finally {
            stateLock.unlock();
        }
        connected.shutdownOutput();
        return this;
    }

    boolean isInputShutdown() {
        return inputShutdown;
    }

    boolean isOutputShutdown() {
        return outputShutdown;
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        Connecting running;
        ByteStream connected;
        boolean abort;
        boolean registered;
        stateLock.lock();
        try {
            state = CLOSED;
            running = connecting;
            connected = stream;
            abort = kernel.abortsOnClose();
            registered = isRegistered();
        } finally {
            stateLock.unlock();
        }
        if (connected != null) {
            connected.close(abort, registered);
        } else if (running != null) {
            running.abandon();
        } else {
            kernel.channel().close();
        }
        listeners.onReady();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        lockBoth();
        try {
            stateLock.lock();
            try {
                ensureOpen();
                boolean ours = connecting != null && connecting.ownsSocket() || isAccelerated();
                if (!ours) {
                    if (block) {
                        // A key of the inner selector may outlive ours, cancelled before, until that one selects again.
                        listeners.releaseKernelKeys();
                    }
                    kernel.channel().configureBlocking(block);
                }
            } finally {
                stateLock.unlock();
            }
        } finally {
            unlockBoth();
        }
    }

    private boolean isAccelerated() {
        return stream instanceof AcceleratedStream;
    }

    // -- addresses and options ---------------------------------------------------------------------------------------

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
        lockBoth();
        try {
            stateLock.lock();
            try {
                ensureOpen();
                if (state == CONNECTING) {
                    throw new ConnectionPendingException();
                }
                kernel.bind(local);
            } finally {
                stateLock.unlock();
            }
        } finally {
            unlockBoth();
        }
        return this;
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        stateLock.lock();
        try {
            ensureOpen();
            return localAddress != null ? localAddress : kernel.localAddress();
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        stateLock.lock();
        try {
            ensureOpen();
            return remoteAddress;
        } finally {
            stateLock.unlock();
        }
    }

    /** The peer's address once connected, even after close; for the socket adaptor. */
    InetSocketAddress remoteAddressOrNull() {
        stateLock.lock();
        try {
            return stream == null ? null : remoteAddress;
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        Objects.requireNonNull(option);
        stateLock.lock();
        try {
            ensureOpen();
            setKernelOption(option, value);
        } finally {
            stateLock.unlock();
        }
        return this;
    }

    private <T> void setKernelOption(SocketOption<T> option, T value) throws IOException {
        try {
            kernel.setOption(option, value, isControl());
        } catch (ClosedChannelException e) {
            if (connecting == null) {
                throw e;
            }
            // The attempt has just moved on to another socket, which takes the option over when it is done.
            kernel.noteOption(option, value);
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        Objects.requireNonNull(option);
        stateLock.lock();
        try {
            ensureOpen();
            return kernel.getOption(option, isControl());
        } finally {
            stateLock.unlock();
        }
    }

    /** Whether the kernel socket is, or may become, a control connection. */
    private boolean isControl() {
        return isAccelerated() || connecting != null && connecting.ownsSocket();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return kernel.channel().supportedOptions();
    }

    @Override
    public Socket socket() {
        stateLock.lock();
        try {
            if (adaptor == null) {
                adaptor = SocketAdaptor.of(this);
            }
            return adaptor;
        } finally {
            stateLock.unlock();
        }
    }

    /** The socket view of the kernel's channel, for options that channels have not. */
    Socket kernelSocket() {
        return kernel.channel().socket();
    }

    /** Sends a byte of urgent data; false where the kernel does not carry the connection. */
    boolean sendUrgentData(int data) throws IOException {
        if (isAccelerated()) {
            return false;
        }
        kernelSocket().sendUrgentData(data);
        return true;
    }

    boolean isBound() {
        return kernel.isBoundByApplication() || stream != null;
    }

    // -- for selectors -----------------------------------------------------------------------------------------------

    @Override
    public SelectableChannel kernelChannel() {
        stateLock.lock();
        try {
            boolean plain = state == CONNECTED && !isAccelerated();
            boolean connectingPlain = state == CONNECTING && !connecting.ownsSocket();
            return plain || connectingPlain ? kernel.channel() : null;
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public int transportReadyOps() {
        if (stream instanceof AcceleratedStream accelerated) {
            return accelerated.connection().readyOps();
        }
        if (state != CONNECTING) {
            return 0;
        }
        stateLock.lock();
        try {
            return connecting != null && connecting.isDone() ? SelectionKey.OP_CONNECT : 0;
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public TransportWorker bindTo(WorkerGroup group) throws IOException {
        return stream instanceof AcceleratedStream accelerated
                ? accelerated.connection().bind(group)
                : null;
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
        StringBuilder text = new StringBuilder("java.nio.channels.SocketChannel[");
        stateLock.lock();
        try {
            if (!isOpen()) {
                return text.append("closed]").toString();
            }
            switch (state) {
                case UNCONNECTED -> text.append("unconnected");
                case CONNECTING -> text.append("connection-pending");
                default -> text.append("connected");
            }
            text.append(inputShutdown ? " ishut" : "").append(outputShutdown ? " oshut" : "");
            SocketAddress local = localAddress != null ? localAddress : kernel.localAddress();
            if (local != null) {
                text.append(" local=").append(local);
            }
            if (remoteAddress != null) {
                text.append(" remote=").append(remoteAddress);
            }
        } catch (IOException e) {
            text.append(" closing");
        } finally {
            stateLock.unlock();
        }
        return text.append(']').toString();
    }
}
