package org.ucxnio.channel;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The {@link ServerSocket} view of a server channel. Thread-safe like the channel. */
final class ServerSocketAdaptor extends ServerSocket {
    private final UcxServerSocketChannel channel;
    private volatile int timeoutMillis;

    private ServerSocketAdaptor(UcxServerSocketChannel channel) {
        super(new UnusedSocketImpl());
        this.channel = channel;
    }

    /** Returns the type that callers give away: that is not loaded with them, and few programs want one. */
    static ServerSocket of(UcxServerSocketChannel channel) {
        return new ServerSocketAdaptor(channel);
    }

    @Override
    public void bind(SocketAddress local) throws IOException {
        bind(local, 50);
    }

    @Override
    public void bind(SocketAddress local, int backlog) throws IOException {
        SocketExceptions.translating(() -> channel.bind(local == null ? new InetSocketAddress(0) : local, backlog));
    }

    @Override
    public InetAddress getInetAddress() {
        InetSocketAddress local = channel.localAddressOrNull();
        return local == null ? null : local.getAddress();
    }

    @Override
    public int getLocalPort() {
        InetSocketAddress local = channel.localAddressOrNull();
        return local == null ? -1 : local.getPort();
    }

    @Override
    public SocketAddress getLocalSocketAddress() {
        return channel.localAddressOrNull();
    }

    @Override
    public Socket accept() throws IOException {
        long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        SocketChannel accepted = SocketExceptions.translating(() -> channel.acceptBlocking(timeoutNanos));
        if (accepted == null) {
            throw new SocketTimeoutException("Accept timed out");
        }
        return accepted.socket();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    @Override
    public ServerSocketChannel getChannel() {
        return channel;
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
    public int getSoTimeout() throws IOException {
        if (!channel.isOpen()) {
            throw SocketExceptions.closed();
        }
        return timeoutMillis;
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
    public void setReuseAddress(boolean on) throws SocketException {
        set(StandardSocketOptions.SO_REUSEADDR, on);
    }

    @Override
    public boolean getReuseAddress() throws SocketException {
        return get(StandardSocketOptions.SO_REUSEADDR);
    }

    @Override
    public void setReceiveBufferSize(int size) throws SocketException {
        if (size <= 0) {
            throw new IllegalArgumentException("size cannot be 0 or negative");
        }
        set(StandardSocketOptions.SO_RCVBUF, size);
    }

    @Override
    public int getReceiveBufferSize() throws SocketException {
        return get(StandardSocketOptions.SO_RCVBUF);
    }

    @Override
    public void setPerformancePreferences(int connectionTime, int latency, int bandwidth) {
        // accepted and without effect, as in the JDK
    }

    @Override
    public <T> ServerSocket setOption(SocketOption<T> option, T value) throws IOException {
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
    public String toString() {
        return isBound()
                ? "ServerSocket[addr=" + getInetAddress() + ",localport=" + getLocalPort() + "]"
                : "ServerSocket[unbound]";
    }
}
