package org.ucxnio.channel;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import java.nio.channels.spi.SelectorProvider;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The kernel socket behind a channel, which may be replaced while connecting: options and the local address that the application
 * asked for move to the new one. Guarded by the channel's state lock.
 */
final class KernelSocket {
    /** Options of a socket that carries tokens that are ours, with what a fresh connection of the JDK's answers. */
    private static final Map<String, Boolean> CONTROL_DEFAULTS = Map.of("TCP_NODELAY", false, "TCP_QUICKACK", true);

    private final ProtocolFamily family;
    private final Map<SocketOption<?>, Object> options = new LinkedHashMap<>();
    private boolean urgentInline;

    private final SocketChannel channel;

    KernelSocket(SelectorProvider platform, ProtocolFamily family) throws IOException {
        this.family = family;
        this.channel = family == null ? platform.openSocketChannel() : platform.openSocketChannel(family);
    }

    /** For a socket that is connected already. */
    KernelSocket(SocketChannel connected) {
        this.family = null;
        this.channel = connected;
    }

    SocketChannel channel() {
        return channel;
    }

    /** Checks where somebody wants to connect to; the wildcard address stands for this host. */
    InetSocketAddress checkTarget(SocketAddress remote) throws IOException {
        if (!(Objects.requireNonNull(remote) instanceof InetSocketAddress address)) {
            throw new UnsupportedAddressTypeException();
        }
        if (address.isUnresolved()) {
            throw new UnresolvedAddressException();
        }
        checkFamily(address);
        if (!address.getAddress().isAnyLocalAddress()) {
            return address;
        }
        byte[] own = InetAddress.getLocalHost().getAddress();
        return new InetSocketAddress(InetAddress.getByAddress(own), address.getPort());
    }

    /** Whether a socket of this family can have or reach the address. */
    private void checkFamily(InetSocketAddress address) {
        boolean onlyV4 = family == StandardProtocolFamily.INET
                || family == null && Boolean.getBoolean("java.net.preferIPv4Stack");
        if (onlyV4 && !(address.getAddress() instanceof Inet4Address)) {
            throw new UnsupportedAddressTypeException();
        }
    }

    InetSocketAddress bind(SocketAddress local) throws IOException {
        channel.bind(local);
        return (InetSocketAddress) channel.getLocalAddress();
    }

    /** Throws what the platform's channels throw for an option they do not know, or a value of the wrong type, closed or not. */
    void checkOption(SocketOption<?> option) {
        if (!channel.supportedOptions().contains(option)) {
            throw new UnsupportedOperationException("'" + option + "' not supported");
        }
    }

    void checkOption(SocketOption<?> option, Object value) {
        checkOption(option);
        if (!option.type().isInstance(value)) {
            throw new IllegalArgumentException("Invalid value '" + value + "'");
        }
    }

    /**
     * Sets an option. On a socket that carries tokens, how the kernel spaces segments and acknowledgements is ours and only noted: nothing of
     * the application's travels there.
     */
    <T> void setOption(SocketOption<T> option, T value, boolean control) throws IOException {
        if (control && CONTROL_DEFAULTS.containsKey(option.name())) {
            options.put(option, value);
            return;
        }
        channel.setOption(option, value);
        options.put(option, value);
    }

    @SuppressWarnings("unchecked")
    <T> T getOption(SocketOption<T> option, boolean control) throws IOException {
        if (control && CONTROL_DEFAULTS.containsKey(option.name())) {
            return (T) options.getOrDefault(option, CONTROL_DEFAULTS.get(option.name()));
        }
        return channel.getOption(option);
    }

    void setUrgentInline(boolean inline) {
        urgentInline = inline;
    }

    boolean isUrgentInline() {
        return urgentInline;
    }

    /** Whether the application asked for a reset instead of an orderly end: SO_LINGER of 0 seconds. */
    boolean abortsOnClose() {
        return Integer.valueOf(0).equals(options.get(StandardSocketOptions.SO_LINGER));
    }
}
