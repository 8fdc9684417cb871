package org.ucxnio.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The kernel socket behind a channel, which may be replaced while connecting: options and the local address that the application
 * asked for move to the new one. Guarded by the channel's state lock.
 */
final class KernelSocket {
    /** Options of a control connection that are ours, with what a fresh connection of the JDK's answers. */
    private static final Map<String, Boolean> CONTROL_DEFAULTS = Map.of("TCP_NODELAY", false, "TCP_QUICKACK", true);

    private final SelectorProvider platform;
    private final ProtocolFamily family;
    private final Map<SocketOption<?>, Object> options = new LinkedHashMap<>();
    private SocketAddress bound;

    /** Read without the lock; written with it. */
    private volatile SocketChannel channel;

    KernelSocket(SelectorProvider platform, ProtocolFamily family) throws IOException {
        this.platform = platform;
        this.family = family;
        this.channel = openChannel();
    }

    /** For a socket that is connected already. */
    KernelSocket(SelectorProvider platform, SocketChannel connected) {
        this.platform = platform;
        this.family = null;
        this.channel = connected;
    }

    private SocketChannel openChannel() throws IOException {
        return family == null ? platform.openSocketChannel() : platform.openSocketChannel(family);
    }

    SocketChannel channel() {
        return channel;
    }

    void replace(SocketChannel other) {
        channel = other;
    }

    /** Another socket with the same options, bound to the same local address. */
    SocketChannel openAlike() throws IOException {
        SocketChannel other = openChannel();
        try {
            applyOptions(other);
            if (bound != null) {
                other.bind(bound);
            }
        } catch (IOException | RuntimeException e) {
            other.close();
            throw e;
        }
        return other;
    }

    /** Sets on {@code target} what the application has set so far. */
    void applyOptions(SocketChannel target) throws IOException {
        for (Map.Entry<SocketOption<?>, Object> option : options.entrySet()) {
            apply(target, option.getKey(), option.getValue());
        }
    }

    @SuppressWarnings("unchecked")
    private static <T> void apply(SocketChannel target, SocketOption<T> option, Object value) throws IOException {
        target.setOption(option, (T) value);
    }

    void bind(SocketAddress local) throws IOException {
        channel.bind(local);
        bound = channel.getLocalAddress();
    }

    boolean isBoundByApplication() {
        return bound != null;
    }

    /**
     * Sets an option. On a control connection, how the kernel spaces segments and acknowledgements is ours and only noted: nothing of
     * the application's travels there.
     */
    <T> void setOption(SocketOption<T> option, T value, boolean control) throws IOException {
        if (!control || !CONTROL_DEFAULTS.containsKey(option.name())) {
            channel.setOption(option, value);
        } else if (value == null) {
            throw new IllegalArgumentException("Invalid option value: null");
        }
        options.put(option, value);
    }

    void noteOption(SocketOption<?> option, Object value) {
        options.put(option, value);
    }

    @SuppressWarnings("unchecked")
    <T> T getOption(SocketOption<T> option, boolean control) throws IOException {
        if (control && CONTROL_DEFAULTS.containsKey(option.name())) {
            return (T) options.getOrDefault(option, CONTROL_DEFAULTS.get(option.name()));
        }
        return channel.getOption(option);
    }

    /** Whether the application asked for a reset instead of an orderly end: SO_LINGER of 0 seconds. */
    boolean abortsOnClose() {
        return Integer.valueOf(0).equals(options.get(StandardSocketOptions.SO_LINGER));
    }

    InetSocketAddress localAddress() throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }
}
