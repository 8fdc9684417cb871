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
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
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

    /** Returns the type that callers give away: that is not loaded with them, and few programs want one. */
    static Socket of(UcxSocketChannel channel) {
        try {
            return new SocketAdaptor(channel);
        } catch (SocketException e) {
            throw new IllegalStateException(e);
        }
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
        if (!(remote instanceof InetSocketAddress address)) {
            throw new SocketException("Unsupported address type");
        }
        if (address.isUnresolved()) {
            refuseUnresolved(address);
        }
        SocketExceptions.translating(() -> channel.connectBlocking(address, TimeUnit.MILLISECONDS.toNanos(timeout)));
    }

    private void refuseUnresolved(InetSocketAddress address) throws IOException {
        if (!channel.isOpen()) {
            throw SocketExceptions.closed();
        }
        if (channel.isConnected()) {
            throw new SocketException("Already connected");
        }
        close();
        throw new UnknownHostException(address.toString());
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        SocketExceptions.translating(() -> channel.bind(local == null ? new InetSocketAddress(0) : local));
    }

    @Override
    public InetAddress getInetAddress() {
        InetSocketAddress remote = channel.remoteAddressOrNull();
        return remote == null ? null : remote.getAddress();
    }

    @Override
    public int getPort() {
        InetSocketAddress remote = channel.remoteAddressOrNull();
        return remote == null ? 0 : remote.getPort();
    }

    @Override
    public InetAddress getLocalAddress() {
        InetSocketAddress local = channel.isOpen() ? channel.localAddressOrNull() : null;
        return local == null ? new InetSocketAddress(0).getAddress() : local.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = channel.localAddressOrNull();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public SocketAddress getRemoteSocketAddress() {
        return channel.remoteAddressOrNull();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return channel.localAddressOrNull();
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
            throw SocketExceptions.closed();
        }
        if (!channel.isConnected()) {
            throw new SocketException("Socket is not connected");
        }
    }

    private <T> void set(SocketOption<T> option, T value) throws SocketException {
        try {
            channel.setOption(option, value);
        } catch (IOException e) {
            throw SocketExceptions.of(e);
        }
    }

    private <T> T get(SocketOption<T> option) throws SocketException {
        try {
            return channel.getOption(option);
        } catch (IOException e) {
            throw SocketExceptions.of(e);
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
        set(StandardSocketOptions.SO_LINGER, on ? linger : -1);
    }

    @Override
    public int getSoLinger() throws SocketException {
        return get(StandardSocketOptions.SO_LINGER);
    }

    @Override
    public void sendUrgentData(int data) throws IOException {
        channel.sendUrgentData((byte) data);
    }

    @Override
    public void setOOBInline(boolean on) throws SocketException {
        try {
            channel.setUrgentInline(on);
        } catch (IOException e) {
            throw SocketExceptions.of(e);
        }
    }

    @Override
    public boolean getOOBInline() throws SocketException {
        try {
            return channel.isUrgentInline();
        } catch (IOException e) {
            throw SocketExceptions.of(e);
        }
    }

    @Override
    public void setSoTimeout(int timeout) throws SocketException {
        if (!channel.isOpen()) {
            throw SocketExceptions.closed();
        }
        if (timeout < 0) {
            throw new IllegalArgumentException("timeout < 0");
        }
        timeoutMillis = timeout;
    }

    @Override
    public int getSoTimeout() throws SocketException {
        if (!channel.isOpen()) {
            throw SocketExceptions.closed();
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
        SocketExceptions.translating(channel::shutdownInput);
    }

    @Override
    public void shutdownOutput() throws IOException {
        SocketExceptions.translating(channel::shutdownOutput);
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
        return channel.isConnected();
    }

    @Override
    public boolean isBound() {
        return channel.localAddressOrNull() != null;
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
    long readTimeoutNanos() {
        return TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }
}
