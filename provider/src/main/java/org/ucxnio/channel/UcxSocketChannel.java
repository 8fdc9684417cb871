package org.ucxnio.channel;

import java.io.IOException;
import java.net.ConnectException;
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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.connect.Accepted;
import org.ucxnio.connect.ConnectAttempt;
import org.ucxnio.counters.Counter;
import org.ucxnio.selector.ChannelListener;
import org.ucxnio.selector.TransportChannel;
import org.ucxnio.transport.Connection;
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
    private final Condition connectEnded = stateLock.newCondition();
    private final Listeners listeners = new Listeners();
    private final ConnectOutcome outcome = new ConnectOutcome();

    // -- written with the state lock held, only rising; read without --
    private volatile int state;
    private volatile boolean connected;
    private volatile boolean inputShutdown;
    private volatile boolean outputShutdown;
    // -- end --

    private final KernelSocket kernel;

    /** The byte stream of an accelerated connection; written once, before the state becomes CONNECTED. */
    private volatile Connection connection;

    // -- guarded by stateLock --
    private ConnectAttempt attempt;
    private String plainReason;
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
        this.remoteAddress = (InetSocketAddress) accepted.getRemoteAddress();
        this.plainReason = plainReason;
        this.state = CONNECTED;
        this.connected = true;
        services.plainConnections().opened(plainReason);
    }

    /** An accepted connection that is accelerated. */
    UcxSocketChannel(ChannelServices services, Accepted accepted) {
        super(services.provider());
        this.services = services;
        this.kernel = new KernelSocket(services.platform(), accepted.control());
        adopt(accepted);
        this.state = CONNECTED;
        this.connected = true;
    }

    private void adopt(Accepted accepted) {
        kernel.replace(accepted.control());
        localAddress = accepted.local();
        remoteAddress = accepted.remote();
        connection = accepted.connection();
        accepted.connection().setListener(listeners);
        Counter.ACCELERATED_OPEN.increment();
        Counter.ACCELERATED_TOTAL.increment();
    }

    // -- state -------------------------------------------------------------------------------------------------------

    private void ensureOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private void ensureOpenAndConnected() throws ClosedChannelException {
        int now = state;
        if (now < CONNECTED) {
            ensureOpen();
            throw new NotYetConnectedException();
        }
        if (now > CONNECTED || !isOpen()) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public boolean isConnected() {
        return state == CONNECTED;
    }

    @Override
    public boolean isConnectionPending() {
        return state == CONNECTING;
    }

    // -- connect -----------------------------------------------------------------------------------------------------

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        InetSocketAddress target = checkAddress(remote);
        readLock.lock();
        try {
            writeLock.lock();
            try {
                boolean started = beginConnect(target, 0);
                return isBlocking() ? finishBlocking(0) : started && finishIfDone();
            } finally {
                writeLock.unlock();
            }
        } finally {
            readLock.unlock();
        }
    }

    /** {@link #connect} in blocking mode with a bound on the time; for the socket adaptor. */
    void connectWithin(SocketAddress remote, long timeoutNanos) throws IOException {
        InetSocketAddress target = checkAddress(remote);
        readLock.lock();
        try {
            writeLock.lock();
            try {
                beginConnect(target, timeoutNanos);
                finishBlocking(timeoutNanos);
            } finally {
                writeLock.unlock();
            }
        } finally {
            readLock.unlock();
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

    /** Returns whether the connection may be there already, without waiting. */
    private boolean beginConnect(InetSocketAddress target, long timeoutNanos) throws IOException {
        stateLock.lock();
        try {
            ensureOpen();
            if (state == CONNECTED) {
                throw new AlreadyConnectedException();
            }
            if (state == CONNECTING) {
                throw new ConnectionPendingException();
            }
            state = CONNECTING;
            remoteAddress = target;
            plainReason = services.connector().plainReason(target);
            if (plainReason == null) {
                attempt = services.connector().connect(target, kernel.channel(), this::openAlike, new Outcomes());
                return false;
            }
        } finally {
            stateLock.unlock();
        }
        return beginPlainConnect(target, timeoutNanos);
    }

    private SocketChannel openAlike() throws IOException {
        stateLock.lock();
        try {
            return kernel.openAlike();
        } finally {
            stateLock.unlock();
        }
    }

    private boolean beginPlainConnect(InetSocketAddress target, long timeoutNanos) throws IOException {
        try {
            boolean done = true;
            if (timeoutNanos > 0) {
                kernel.channel().socket().connect(target, (int) TimeUnit.NANOSECONDS.toMillis(timeoutNanos));
            } else {
                done = kernel.channel().connect(target);
            }
            if (done) {
                outcome.plain(kernel.channel(), plainReason);
            }
            return done;
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        readLock.lock();
        try {
            writeLock.lock();
            try {
                ensureOpen();
                if (state == CONNECTED) {
                    return true;
                }
                if (state != CONNECTING) {
                    throw new NoConnectionPendingException();
                }
                return isBlocking() ? finishBlocking(0) : finishIfDone();
            } finally {
                writeLock.unlock();
            }
        } finally {
            readLock.unlock();
        }
    }

    private boolean finishBlocking(long timeoutNanos) throws IOException {
        boolean completed = false;
        try {
            begin();
            completed = attempt == null ? finishPlain(timeoutNanos) : awaitOutcome(timeoutNanos);
        } catch (ClosedChannelException e) {
            close();
        } finally {
            end(completed);
        }
        return completed && finishIfDone();
    }

    /** A plain connect that runs in the kernel, without an attempt. */
    private boolean finishPlain(long timeoutNanos) throws IOException {
        if (outcome.isDone()) {
            return true;
        }
        try {
            kernel.channel().finishConnect();
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            close();
            throw e;
        }
        outcome.plain(kernel.channel(), plainReason);
        return true;
    }

    private boolean awaitOutcome(long timeoutNanos) throws IOException {
        long left = timeoutNanos;
        stateLock.lock();
        try {
            while (!outcome.isDone() && isOpen()) {
                if (timeoutNanos == 0) {
                    connectEnded.await();
                } else if (left <= 0) {
                    break;
                } else {
                    left = connectEnded.awaitNanos(left);
                }
            }
        } catch (InterruptedException e) {
            // begin() has closed the channel already; end() reports it.
            Thread.currentThread().interrupt();
            return false;
        } finally {
            stateLock.unlock();
        }
        if (!outcome.isDone() && isOpen()) {
            close();
            throw new java.net.SocketTimeoutException("Connect timed out");
        }
        return outcome.isDone();
    }

    private boolean finishIfDone() throws IOException {
        if (attempt == null && !outcome.isDone()) {
            try {
                if (!kernel.channel().finishConnect()) {
                    return false;
                }
                outcome.plain(kernel.channel(), plainReason);
            } catch (IOException e) {
                close();
                throw e;
            }
        }
        if (!outcome.isDone()) {
            return false;
        }
        IOException failure = outcome.failure();
        if (failure != null) {
            close();
            throw forCaller(failure);
        }
        become();
        listeners.onReady();
        return true;
    }

    private static IOException forCaller(IOException failure) {
        // The stack of the control thread says nothing to the application.
        if (failure instanceof ConnectException) {
            ConnectException mine = new ConnectException(failure.getMessage());
            mine.initCause(failure);
            return mine;
        }
        return failure;
    }

    private void become() throws IOException {
        stateLock.lock();
        try {
            if (state != CONNECTING) {
                // Whoever closed the channel has discarded the outcome.
                throw new AsynchronousCloseException();
            }
            attempt = null;
            if (outcome.accelerated() != null) {
                adopt(outcome.accelerated());
            } else {
                kernel.replace(outcome.plainSocket());
                plainReason = outcome.plainReason();
                kernel.applyOptions(outcome.plainSocket());
                outcome.plainSocket().configureBlocking(isBlocking());
                remoteAddress = (InetSocketAddress) outcome.plainSocket().getRemoteAddress();
                services.plainConnections().opened(plainReason);
            }
            state = CONNECTED;
            connected = true;
        } finally {
            stateLock.unlock();
        }
    }

    /** Hears of the end of an attempt, on the control thread. */
    private final class Outcomes implements ConnectAttempt.Listener {
        @Override
        public void onAccelerated(Accepted accepted) {
            ended(() -> outcome.accelerated(accepted));
        }

        @Override
        public void onPlain(SocketChannel connected, String reason) {
            ended(() -> outcome.plain(connected, reason));
        }

        @Override
        public void onFailed(IOException cause) {
            ended(() -> outcome.failed(cause));
        }

        private void ended(Runnable set) {
            boolean late;
            stateLock.lock();
            try {
                set.run();
                late = state == CLOSED;
                connectEnded.signalAll();
            } finally {
                stateLock.unlock();
            }
            if (late) {
                outcome.discard();
            }
            listeners.onReady();
        }
    }

    // -- read --------------------------------------------------------------------------------------------------------

    @Override
    public int read(ByteBuffer target) throws IOException {
        return readWithin(Objects.requireNonNull(target), 0);
    }

    /** {@link #read(ByteBuffer)}; in blocking mode it waits {@code timeoutNanos} at most (0: without bound). */
    int readWithin(ByteBuffer target, long timeoutNanos) throws IOException {
        readLock.lock();
        try {
            ensureOpenAndConnected();
            Connection stream = connection;
            if (stream == null) {
                return readPlain(target);
            }
            if (inputShutdown) {
                return -1;
            }
            if (target.isReadOnly()) {
                throw new IllegalArgumentException("Read-only buffer");
            }
            if (!target.hasRemaining()) {
                return 0;
            }
            bindForUse(stream);
            return isBlocking() ? readBlocking(stream, target, timeoutNanos) : stream.read(target);
        } finally {
            readLock.unlock();
        }
    }

    private int readBlocking(Connection stream, ByteBuffer target, long timeoutNanos) throws IOException {
        int count = 0;
        try {
            begin();
            count = stream.read(target);
            while (count == 0 && isOpen()) {
                if (!stream.await(true, timeoutNanos) && timeoutNanos > 0 && isOpen()) {
                    throw new java.net.SocketTimeoutException("Read timed out");
                }
                count = isOpen() ? stream.read(target) : 0;
            }
        } finally {
            end(count > 0);
        }
        return count;
    }

    private int readPlain(ByteBuffer target) throws IOException {
        try {
            int count = kernel.channel().read(target);
            if (count > 0) {
                Counter.TCP_BYTES_RECEIVED.add(count);
            }
            return count;
        } catch (ClosedChannelException e) {
            close();
            throw e;
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        readLock.lock();
        try {
            ensureOpenAndConnected();
            Connection stream = connection;
            if (stream == null) {
                return readPlain(targets, offset, length);
            }
            if (inputShutdown) {
                return -1;
            }
            if (!checkTargets(targets, offset, length)) {
                return 0;
            }
            bindForUse(stream);
            return isBlocking()
                    ? readBlocking(stream, targets, offset, length)
                    : stream.read(targets, offset, length);
        } finally {
            readLock.unlock();
        }
    }

    private static boolean checkTargets(ByteBuffer[] targets, int offset, int length) {
        boolean room = false;
        for (int i = offset; i < offset + length; i++) {
            if (targets[i].isReadOnly()) {
                throw new IllegalArgumentException("Read-only buffer");
            }
            room |= targets[i].hasRemaining();
        }
        return room;
    }

    private long readBlocking(Connection stream, ByteBuffer[] targets, int offset, int length) throws IOException {
        long count = 0;
        try {
            begin();
            count = stream.read(targets, offset, length);
            while (count == 0 && isOpen()) {
                stream.await(true, 0);
                count = isOpen() ? stream.read(targets, offset, length) : 0;
            }
        } finally {
            end(count > 0);
        }
        return count;
    }

    private long readPlain(ByteBuffer[] targets, int offset, int length) throws IOException {
        try {
            long count = kernel.channel().read(targets, offset, length);
            if (count > 0) {
                Counter.TCP_BYTES_RECEIVED.add(count);
            }
            return count;
        } catch (ClosedChannelException e) {
            close();
            throw e;
        }
    }

    // -- write -------------------------------------------------------------------------------------------------------

    @Override
    public int write(ByteBuffer source) throws IOException {
        Objects.requireNonNull(source);
        writeLock.lock();
        try {
            ensureWritable();
            Connection stream = connection;
            if (stream == null) {
                return (int) writePlain(source);
            }
            if (!source.hasRemaining()) {
                return 0;
            }
            bindForUse(stream);
            return isBlocking() ? writeBlocking(stream, source) : stream.write(source);
        } finally {
            writeLock.unlock();
        }
    }

    private void ensureWritable() throws ClosedChannelException {
        ensureOpenAndConnected();
        if (outputShutdown) {
            throw new ClosedChannelException();
        }
    }

    private int writeBlocking(Connection stream, ByteBuffer source) throws IOException {
        int count = 0;
        try {
            begin();
            count = stream.write(source);
            while (source.hasRemaining() && isOpen()) {
                stream.await(false, 0);
                if (isOpen()) {
                    count += stream.write(source);
                }
            }
        } finally {
            end(count > 0);
        }
        return count;
    }

    private long writePlain(ByteBuffer source) throws IOException {
        try {
            int count = kernel.channel().write(source);
            Counter.TCP_BYTES_SENT.add(count);
            return count;
        } catch (ClosedChannelException e) {
            closeUnlessOutputShutdown();
            throw e;
        }
    }

    private void closeUnlessOutputShutdown() throws IOException {
        if (!outputShutdown) {
            close();
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        writeLock.lock();
        try {
            ensureWritable();
            Connection stream = connection;
            if (stream == null) {
                return writePlain(sources, offset, length);
            }
            if (!hasRemaining(sources, offset, length)) {
                return 0;
            }
            bindForUse(stream);
            return isBlocking()
                    ? writeBlocking(stream, sources, offset, length)
                    : stream.write(sources, offset, length);
        } finally {
            writeLock.unlock();
        }
    }

    private static boolean hasRemaining(ByteBuffer[] buffers, int offset, int length) {
        boolean some = false;
        for (int i = offset; i < offset + length; i++) {
            some |= buffers[i].hasRemaining();
        }
        return some;
    }

    private long writeBlocking(Connection stream, ByteBuffer[] sources, int offset, int length) throws IOException {
        long count = 0;
        try {
            begin();
            count = stream.write(sources, offset, length);
            while (hasRemaining(sources, offset, length) && isOpen()) {
                stream.await(false, 0);
                if (isOpen()) {
                    count += stream.write(sources, offset, length);
                }
            }
        } finally {
            end(count > 0);
        }
        return count;
    }

    private long writePlain(ByteBuffer[] sources, int offset, int length) throws IOException {
        try {
            long count = kernel.channel().write(sources, offset, length);
            Counter.TCP_BYTES_SENT.add(count);
            return count;
        } catch (ClosedChannelException e) {
            closeUnlessOutputShutdown();
            throw e;
        }
    }

    private void bindForUse(Connection stream) throws IOException {
        if (stream.boundWorker() == null) {
            stream.bind(services.connector().transport().blockingGroup());
        }
    }

    // -- end of stream -----------------------------------------------------------------------------------------------

    @Override
    public SocketChannel shutdownInput() throws IOException {
        stateLock.lock();
        try {
            ensureOpen();
            if (state != CONNECTED) {
                throw new NotYetConnectedException();
            }
            if (connection == null) {
                kernel.channel().shutdownInput();
            }
            inputShutdown = true;
        } finally {
            stateLock.unlock();
        }
        if (connection != null) {
            connection.shutdownInput();
        }
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        stateLock.lock();
        try {
            ensureOpen();
            if (state != CONNECTED) {
                throw new NotYetConnectedException();
            }
            if (outputShutdown) {
                return this;
            }
            if (connection == null) {
                kernel.channel().shutdownOutput();
            }
            outputShutdown = true;
        } finally {
            stateLock.unlock();
        }
        if (connection != null) {
            connection.shutdownOutput();
        }
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
        int before;
        ConnectAttempt running;
        stateLock.lock();
        try {
            before = state;
            running = attempt;
            state = CLOSED;
            connectEnded.signalAll();
        } finally {
            stateLock.unlock();
        }
        if (before == CONNECTING && running != null) {
            running.abandon();
            outcome.discard();
        } else if (connection != null) {
            Counter.ACCELERATED_OPEN.decrement();
            connection.close();
        } else {
            if (before == CONNECTED) {
                services.plainConnections().closed(plainReason);
            }
            kernel.channel().close();
        }
        listeners.onReady();
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        readLock.lock();
        try {
            writeLock.lock();
            try {
                stateLock.lock();
                try {
                    ensureOpen();
                    if (attempt == null && connection == null) {
                        setKernelBlocking(block);
                    }
                } finally {
                    stateLock.unlock();
                }
            } finally {
                writeLock.unlock();
            }
        } finally {
            readLock.unlock();
        }
    }

    /** A key of the kernel channel may outlive ours until its selector selects again; it is as good as cancelled. */
    private void setKernelBlocking(boolean block) throws IOException {
        if (block) {
            listeners.releaseKernelKeys();
        }
        kernel.channel().configureBlocking(block);
    }

    // -- addresses and options ---------------------------------------------------------------------------------------

    @Override
    public SocketChannel bind(SocketAddress local) throws IOException {
        readLock.lock();
        try {
            writeLock.lock();
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
                writeLock.unlock();
            }
        } finally {
            readLock.unlock();
        }
        return this;
    }

    @Override
    public SocketAddress getLocalAddress() throws IOException {
        stateLock.lock();
        try {
            ensureOpen();
            return localAddress != null ? localAddress : kernel.channel().getLocalAddress();
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public SocketAddress getRemoteAddress() throws IOException {
        stateLock.lock();
        try {
            ensureOpen();
            return state == CONNECTED ? remoteAddress : null;
        } finally {
            stateLock.unlock();
        }
    }

    /** The peer's address once known, even after close; for the socket adaptor. */
    InetSocketAddress remoteAddressOrNull() {
        stateLock.lock();
        try {
            return remoteAddress;
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
            kernel.setOption(option, value, connection != null || attempt != null);
        } catch (ClosedChannelException e) {
            if (attempt == null) {
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
            return kernel.getOption(option, connection != null || attempt != null);
        } finally {
            stateLock.unlock();
        }
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

    /** The kernel connection of a plain channel, or null. */
    SocketChannel plainChannel() {
        return connection == null ? kernel.channel() : null;
    }

    /** The socket view of the kernel's channel, for options that channels have not. */
    Socket kernelSocket() {
        return kernel.channel().socket();
    }

    /** Bytes an accelerated connection can give without waiting. */
    int available() throws IOException {
        ensureOpenAndConnected();
        return connection.available();
    }

    /** Whether the channel has been connected at some time. */
    boolean wasConnected() {
        return connected;
    }

    boolean isBound() {
        return kernel.isBoundByApplication() || state == CONNECTED;
    }

    // -- for selectors -----------------------------------------------------------------------------------------------

    @Override
    public SelectableChannel kernelChannel() {
        stateLock.lock();
        try {
            boolean inKernel = state == CONNECTED && connection == null || state == CONNECTING && attempt == null;
            return inKernel ? kernel.channel() : null;
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public int transportReadyOps() {
        Connection stream = connection;
        if (stream != null) {
            return (inputShutdown || stream.isReadable() ? SelectionKey.OP_READ : 0)
                    | (stream.isWritable() ? SelectionKey.OP_WRITE : 0);
        }
        return state == CONNECTING && outcome.isDone() ? SelectionKey.OP_CONNECT : 0;
    }

    @Override
    public TransportWorker bindTo(WorkerGroup group) throws IOException {
        Connection stream = connection;
        return stream == null ? null : stream.bind(group);
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
        StringBuilder text = new StringBuilder(getClass().getSuperclass().getName()).append('[');
        if (!isOpen()) {
            return text.append("closed]").toString();
        }
        stateLock.lock();
        try {
            switch (state) {
                case UNCONNECTED -> text.append("unconnected");
                case CONNECTING -> text.append("connection-pending");
                default -> text.append("connected").append(inputShutdown ? " ishut" : "").append(outputShutdown ? " oshut" : "");
            }
            if (localAddress != null || isBound()) {
                text.append(" local=").append(localAddress != null ? localAddress : kernel.localAddress());
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
