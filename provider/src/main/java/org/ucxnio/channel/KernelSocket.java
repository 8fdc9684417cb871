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
import java.util.Objects;

/**
 * The kernel socket behind a channel, and those of its options that need another answer than its own once it carries tokens. Guarded by the
 * channel's state lock.
 */
final class KernelSocket {
    private static final boolean PREFERS_IPV4 = Boolean.getBoolean("java.net.preferIPv4Stack");

    private final ProtocolFamily family;

    // -- options that are ours on a socket that carries tokens, as the application has set them; null where it has not,
    // and nobody has asked --
    private Object noDelay;
    private Object quickAck;
    // -- end --

    /** Sends short segments at once for now, though the application has not asked for that. */
    private boolean hurries;

    /** The application asked for a reset instead of an orderly end: SO_LINGER of 0 seconds. */
    private boolean aborts;

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
        boolean onlyV4 = family == StandardProtocolFamily.INET || family == null && PREFERS_IPV4;
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
    <T> void setOption(SocketOption<T> option, T value, boolean carriesTokens) throws IOException {
        if (!carriesTokens || !isControl(option)) {
            channel.setOption(option, value);
        }
        if (option == StandardSocketOptions.TCP_NODELAY) {
            noDelay = value;
        } else if (option == StandardSocketOptions.SO_LINGER) {
            aborts = (Integer) value == 0;
        } else if (isQuickAck(option)) {
            quickAck = value;
        }
    }

    private static boolean isControl(SocketOption<?> option) {
        return option == StandardSocketOptions.TCP_NODELAY || isQuickAck(option);
    }

    /** That of {@code jdk.net.ExtendedSocketOptions}, which is not everywhere. */
    private static boolean isQuickAck(SocketOption<?> option) {
        return option.name().equals("TCP_QUICKACK");
    }

    @SuppressWarnings("unchecked")
    <T> T getOption(SocketOption<T> option, boolean carriesTokens) throws IOException {
        boolean isNoDelay = option == StandardSocketOptions.TCP_NODELAY;
        boolean isOurs = carriesTokens ? isControl(option) : hurries && isNoDelay;
        if (!isOurs) {
            return channel.getOption(option);
        }
        Object set = isNoDelay ? noDelay : quickAck;
        // A fresh connection of the JDK's has the second and not the first.
        return (T) (set == null ? Boolean.valueOf(!isNoDelay) : set);
    }

    /**
     * Has the socket send short segments at once, or keep them back again until what is on its way is confirmed; not where the application
     * wants them sent at once anyhow. Returns whether it does what it would not do else.
     */
    boolean hurry(boolean on) throws IOException {
        if (noDelay == null) {
            noDelay = channel.getOption(StandardSocketOptions.TCP_NODELAY);
        }
        boolean keepsBack = !(Boolean) noDelay;
        if (keepsBack) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, on);
        }
        hurries = on && keepsBack;
        return hurries;
    }

    void setUrgentInline(boolean inline) {
        urgentInline = inline;
    }

    boolean isUrgentInline() {
        return urgentInline;
    }

    boolean abortsOnClose() {
        return aborts;
    }
}
