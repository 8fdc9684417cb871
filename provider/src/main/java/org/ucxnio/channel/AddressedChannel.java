package org.ucxnio.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.ucxnio.counters.Log;

/**
 * The state of a socket channel, its addresses and its options.
 *
 * <p>The state lock is a leaf, held for moments.
 */
abstract class AddressedChannel extends StreamChannel {
    static final int UNCONNECTED = 0;
    static final int CONNECTING = 1;
    static final int CONNECTED = 2;
    static final int CLOSED = 3;

    final ReentrantLock stateLock = new ReentrantLock();
    final KernelSocket kernel;

    // -- written with the state lock held, only rising; read without --
    volatile int state;
    volatile boolean inputShutdown;
    volatile boolean outputShutdown;

    volatile InetSocketAddress localAddress;
    volatile InetSocketAddress remoteAddress;
    // -- end --

    AddressedChannel(SelectorProvider provider, KernelSocket kernel) {
        super(provider);
        this.kernel = kernel;
    }

    // -- state -------------------------------------------------------------------------------------------------------

    final void ensureOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    final KernelStream ensureOpenAndConnected() throws ClosedChannelException {
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

    final void ensureBlocking() {
        if (!isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }

    final void ensureOutput() throws IOException {
        if (outputShutdown) {
            throw new AsynchronousCloseException();
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

    @Override
    boolean isInputShutdown() {
        return inputShutdown;
    }

    @Override
    boolean isOutputShutdown() {
        return outputShutdown;
    }

    @Override
    protected void implConfigureBlocking(boolean block) throws IOException {
        lockBoth();
        try {
            stateLock.lock();
            try {
                ensureOpen();
                if (block) {
                    // A key of the inner selector may outlive ours, cancelled before, until that one selects again.
                    listeners.releaseKernelKeys();
                }
                kernel.channel().configureBlocking(block);
            } finally {
                stateLock.unlock();
            }
        } finally {
            unlockBoth();
        }
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
                localAddress = kernel.bind(local);
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
            return localAddress;
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

    @Override
    InetSocketAddress localAddressOrNull() {
        return localAddress;
    }

    @Override
    InetSocketAddress remoteAddressOrNull() {
        return remoteAddress;
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> option, T value) throws IOException {
        Objects.requireNonNull(option);
        kernel.checkOption(option, value);
        stateLock.lock();
        try {
            ensureOpen();
            boolean control = isControl();
            kernel.setOption(option, value, control);
            if (!control) {
                keepTokensQuick();
            }
        } finally {
            stateLock.unlock();
        }
        return this;
    }

    @Override
    boolean hurry(boolean on) {
        stateLock.lock();
        try {
            if (isControl()) {
                return false;
            }
            boolean hurries = kernel.hurry(on);
            keepTokensQuick();
            return hurries;
        } catch (IOException e) {
            Log.debug("A socket keeps short segments back, or does not, as before: " + e);
            return false;
        } finally {
            stateLock.unlock();
        }
    }

    /** Behind a change of options: the socket may have become ours in between, and tokens are not to wait for each other's confirmation. */
    private void keepTokensQuick() {
        if (isControl()) {
            stream.tokens().setNoDelay();
        }
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        Objects.requireNonNull(option);
        kernel.checkOption(option);
        stateLock.lock();
        try {
            ensureOpen();
            boolean control = isControl();
            T value = kernel.getOption(option, control);
            // It may have become ours in between, and the answer one that tokens have changed.
            return control || !isControl() ? value : kernel.getOption(option, true);
        } finally {
            stateLock.unlock();
        }
    }

    /** Whether urgent data is read like other bytes, or thrown away; for the adaptor. */
    void setUrgentInline(boolean inline) throws IOException {
        stateLock.lock();
        try {
            ensureOpen();
            kernel.setUrgentInline(inline);
            if (stream != null) {
                stream.setUrgentInline(inline);
            } else {
                kernel.channel().socket().setOOBInline(inline);
            }
        } finally {
            stateLock.unlock();
        }
    }

    boolean isUrgentInline() throws IOException {
        stateLock.lock();
        try {
            ensureOpen();
            return kernel.isUrgentInline();
        } finally {
            stateLock.unlock();
        }
    }

    /** Whether the kernel socket is ours to set up, as it carries tokens, or has done so. That a direction has moved is seen before it is noted. */
    private boolean isControl() {
        return stream != null && (stream.hasMoved() || stream.hasEverMoved());
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return kernel.channel().supportedOptions();
    }

    // -- for selectors -----------------------------------------------------------------------------------------------

    @Override
    public SelectableChannel kernelChannel() {
        int now = state;
        return now == CONNECTED || now == CONNECTING ? kernel.channel() : null;
    }

    /** A socket that is not connected is ready for whatever is asked for, as the kernel has it. */
    @Override
    public int transportReadyOps(int interest) {
        Readiness readiness = readiness();
        if (readiness != null) {
            return readiness.readyOps(interest);
        }
        return state == UNCONNECTED ? interest : 0;
    }

    @Override
    public int transportReadyOpsAlone(int interest) {
        Readiness readiness = readiness();
        return readiness == null ? transportReadyOps(interest) : readiness.readyOpsAlone(interest);
    }

    @Override
    public String toString() {
        stateLock.lock();
        try {
            return isOpen()
                    ? "java.nio.channels.SocketChannel[" + text() + "]"
                    : "java.nio.channels.SocketChannel[closed]";
        } finally {
            stateLock.unlock();
        }
    }

    private String text() {
        String text = state == UNCONNECTED ? "unconnected" : state == CONNECTING ? "connection-pending" : "connected";
        return text
                + (inputShutdown ? " ishut" : "")
                + (outputShutdown ? " oshut" : "")
                + (localAddress == null ? "" : " local=" + localAddress)
                + (remoteAddress == null ? "" : " remote=" + remoteAddress);
    }
}
