package org.ucxnio;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.StandardProtocolFamily;
import java.nio.channels.Channel;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Objects;

/**
 * The selector provider that moves the bytes of socket channels through shared memory and UCX. Named in
 * {@code -Djava.nio.channels.spi.SelectorProvider=org.ucxnio.UcxSelectorProvider}, or made and used directly. Where neither can be used
 * it gives the platform's own channels and selectors. Datagram channels, pipes and Unix-domain channels are always the platform's;
 * they register with our selectors. Thread-safe.
 */
public final class UcxSelectorProvider extends SelectorProvider {
    private final Engine engine;

    /**
     * Starts what all providers share at the first use in the process.
     *
     * @throws IllegalArgumentException when a property {@code ucxnio.*} holds a value that is not allowed
     * @throws IllegalStateException when acceleration is required and cannot be had
     */
    public UcxSelectorProvider() {
        this.engine = Engine.instance();
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        return engine.openSelector(this);
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return engine.active()
                ? engine.openSocketChannel(this, null)
                : engine.platform().openSocketChannel();
    }

    @Override
    public SocketChannel openSocketChannel(ProtocolFamily family) throws IOException {
        Objects.requireNonNull(family, "'family' is null");
        return accelerable(family)
                ? engine.openSocketChannel(this, family)
                : engine.platform().openSocketChannel(family);
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return engine.active()
                ? engine.openServerSocketChannel(this, null)
                : engine.platform().openServerSocketChannel();
    }

    @Override
    public ServerSocketChannel openServerSocketChannel(ProtocolFamily family) throws IOException {
        Objects.requireNonNull(family, "'family' is null");
        return accelerable(family)
                ? engine.openServerSocketChannel(this, family)
                : engine.platform().openServerSocketChannel(family);
    }

    private boolean accelerable(ProtocolFamily family) {
        return engine.active() && (family == StandardProtocolFamily.INET || family == StandardProtocolFamily.INET6);
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return engine.platform().openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return engine.platform().openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return engine.platform().openPipe();
    }

    @Override
    public Channel inheritedChannel() throws IOException {
        return engine.platform().inheritedChannel();
    }
}
