package org.ucxnio.channel;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The {@link Socket} view of a channel, as {@link SocketChannel#socket} gives it. Thread-safe like the channel. */
final class SocketAdaptor extends Socket {
    private final UcxSocketChannel channel;
    private volatile int timeoutMillis;

    private SocketAdaptor(UcxSocketChannel channel) throws SocketException {
        super(newImpl());
        this.channel = channel;
    }

    static SocketAdaptor of(UcxSocketChannel channel) {
        try {
            return new SocketAdaptor(channel);
        } catch (SocketException e) {
            throw new IllegalStateException(e);
        }
    }

    private static SocketException asSocketException(IOException cause) {
        if (cause instanceof SocketException same) {
            return same;
        }
        String text = cause instanceof ClosedChannelException ? "Socket is closed" : cause.getMessage();
        SocketException mine = new SocketException(text);
        mine.initCause(cause);
        return mine;
    }

    private static java.net.SocketImpl newImpl() {
        return new UnusedSocketImpl();
    }

    @Override
    public void connect(SocketAddress remote) throws IOException {
        connect(remote, 0);
    }

    @Override
    public void connect(SocketAddress remote, int timeout) throws IOException {
        if (remote == null) {
            throw new IllegalArgumentException("connect: The address can't be null");
        }
        if (timeout < 0) {
            throw new IllegalArgumentException("connect: timeout can't be negative");
        }
        try {
            if (!channel.isBlocking()) {
                throw new IllegalBlockingModeException();
            }
            channel.connectWithin(remote, TimeUnit.MILLISECONDS.toNanos(timeout));
        } catch (ClosedChannelException e) {
            throw asSocketException(e);
        } catch (AlreadyConnectedException e) {
            throw new SocketException("Already connected");
        } catch (UnresolvedAddressException e) {
            throw new java.net.UnknownHostException(remote.toString());
        } catch (UnsupportedAddressTypeException e) {
            throw new IllegalArgumentException("Unsupported address type");
        }
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        try {
            channel.bind(local == null ? new InetSocketAddress(0) : local);
        } catch (ClosedChannelException e) {
            throw asSocketException(e);
        } catch (java.nio.channels.AlreadyBoundException e) {
            throw new SocketException("Already bound");
        } catch (UnsupportedAddressTypeException e) {
            throw new IllegalArgumentException("Unsupported address type");
        }
    }

    private InetSocketAddress localOrNull() {
        try {
            return (InetSocketAddress) channel.getLocalAddress();
        } catch (IOException e) {
            return null;
        }
    }

    private InetSocketAddress remoteOrNull() {
        return channel.isConnected() || !channel.isOpen() ? channel.remoteAddressOrNull() : null;
    }

    @Override
    public InetAddress getInetAddress() {
        InetSocketAddress remote = remoteOrNull();
        return remote == null ? null : remote.getAddress();
    }

    @Override
    public int getPort() {
        InetSocketAddress remote = remoteOrNull();
        return remote == null ? 0 : remote.getPort();
    }

    @Override
    public InetAddress getLocalAddress() {
        InetSocketAddress local = localOrNull();
        return local == null ? new InetSocketAddress(0).getAddress() : local.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = localOrNull();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return remoteOrNull();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        InetSocketAddress local = localOrNull();
        return local == null && isBound() ? new InetSocketAddress(0) : local;
    }

    @Override
    public SocketChannel getChannel() {
        return channel;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        ensureStreams();
        if (channel.isInputShutdown()) {
            throw new SocketException("Socket input is shutdown");
        }
        return new AdaptorInputStream(channel, this);
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
        ensureStreams();
        if (channel.isOutputShutdown()) {
            throw new SocketException("Socket output is shutdown");
        }
        return new AdaptorOutputStream(channel);
    }

    private void ensureStreams() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
        if (!channel.isConnected()) {
            throw new SocketException("Socket is not connected");
        }
    }

    private <T> void set(SocketOption<T> option, T value) throws SocketException {
        try {
            channel.setOption(option, value);
        } catch (IOException e) {
            throw asSocketException(e);
        }
    }

    private <T> T get(SocketOption<T> option) throws SocketException {
        try {
            return channel.getOption(option);
        } catch (IOException e) {
            throw asSocketException(e);
        }
    }

    @Override
    public void setTcpNoDelay(boolean on) throws SocketException {
        set(StandardSocketOptions.TCP_NODELAY, on);
    }

    @Override
    public boolean getTcpNoDelay() throws SocketException {
        return get(StandardSocketOptions.TCP_NODELAY);
    }

    @Override
    public void setSoLinger(boolean on, int linger) throws SocketException {
        if (on && linger < 0) {
            throw new IllegalArgumentException("invalid value for SO_LINGER");
        }
        set(StandardSocketOptions.SO_LINGER, on ? Math.min(linger, 65535) : -1);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return get(StandardSocketOptions.SO_LINGER);
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        ensureStreams();
        if (!channel.sendUrgentData(data)) {
            throw new SocketException("Urgent data is not supported on an accelerated connection");
        }
    }

    @Override
    public void setOOBInline(boolean on) throws SocketException {
        channel.kernelSocket().setOOBInline(on);
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        return channel.kernelSocket().getOOBInline();
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
        if (timeout < 0) {
            throw new IllegalArgumentException("timeout < 0");
        }
        timeoutMillis = timeout;
    }

    @Override
    public int getSoTimeout() throws SocketException {
        if (!channel.isOpen()) {
            throw new SocketException("Socket is closed");
        }
        return timeoutMillis;
    }

    @Override
    public void setSendBufferSize(int size) throws SocketException {
        if (size <= 0) {
            throw new IllegalArgumentException("Invalid send size");
        }
        set(StandardSocketOptions.SO_SNDBUF, size);
    }

    @Override
    public int getSendBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_SNDBUF);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        if (size <= 0) {
            throw new IllegalArgumentException("Invalid receive size");
        }
        set(StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public void setKeepAlive(boolean on) throws SocketException {
        set(StandardSocketOptions.SO_KEEPALIVE, on);
    }

    @Override
    public boolean getKeepAlive() throws SocketException {
        return get(StandardSocketOptions.SO_KEEPALIVE);
    }

    @Override
    public void setTrafficClass(int tc) throws SocketException {
        set(StandardSocketOptions.IP_TOS, tc);
    }

    @Override
    public int getTrafficClass() throws SocketException {
        return get(StandardSocketOptions.IP_TOS);
    }

    @Override
    public void setReuseAddress(boolean on) throws SocketException {
        set(StandardSocketOptions.SO_REUSEADDR, on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return get(StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        // accepted and without effect, as in the JDK
    }

    @Override
    public <T> Socket setOption(SocketOption<T> option, T value) throws IOException {
        channel.setOption(option, value);
        return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> option) throws IOException {
        return channel.getOption(option);
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return channel.supportedOptions();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public void shutdownInput() throws IOException {
        try {
            channel.shutdownInput();
        } catch (NotYetConnectedException e) {
            throw new SocketException("Socket is not connected");
        } catch (ClosedChannelException e) {
            throw asSocketException(e);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        try {
            channel.shutdownOutput();
        } catch (NotYetConnectedException e) {
            throw new SocketException("Socket is not connected");
        } catch (ClosedChannelException e) {
            throw asSocketException(e);
        }
    }

    @Override
    public String toString() {
        if (channel.isConnected()) {
            return "Socket[addr=" + getInetAddress() + ",port=" + getPort() + ",localport=" + getLocalPort() + "]";
        }
        return "Socket[unconnected]";
    }

    @Override
    public boolean isConnected() {
        return channel.isConnected() || !channel.isOpen() && channel.wasConnected();
    }

    @Override
    public boolean isBound() {
        return channel.isBound();
    }

    @Override
    public boolean isClosed() {
        return !channel.isOpen();
    }

    @Override
    public boolean isInputShutdown() {
        return channel.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return channel.isOutputShutdown();
    }

    /** How long a read of the stream waits, in nanoseconds; 0 without bound. */
    long readTimeoutNanos() throws SocketTimeoutException {
        return TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }
}
