package org.ucxnio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import org.ucxnio.channel.MovingNeeds;
import org.ucxnio.config.Config;
import org.ucxnio.config.ConfigException;
import org.ucxnio.config.HostMode;
import org.ucxnio.session.Host;
import org.ucxnio.session.Movable;
import org.ucxnio.session.Pairings;
import org.ucxnio.session.PathSupplier;

/**
 * The sessions of this process, made when a listener or a connection first needs them: a process that starts has no time for more.
 * Thread-safe.
 */
final class LazyHost implements Host {
    private final Config config;
    private final SelectorProvider platform;
    private final OverUcx ucx;
    private final boolean carriesHost;

    /** Null before they are needed. Written with the monitor held. */
    private volatile Pairings made;

    /** Guarded by the monitor. */
    private boolean ended;

    private LazyHost(Config config, SelectorProvider platform, OverUcx ucx, boolean carriesHost) {
        this.config = config;
        this.platform = platform;
        this.ucx = ucx;
        this.carriesHost = carriesHost;
    }

    /** Null where nothing carries connections of this host, and no other host is reached. */
    static LazyHost of(Config config, SelectorProvider platform, OverUcx ucx) {
        boolean carriesHost = config.host() == HostMode.RINGS || config.host() == HostMode.UCX && ucx.carrier() != null;
        if (!carriesHost && ucx.network() == null) {
            return null;
        }
        if (carriesHost && !config.rendezvous().isEmpty()) {
            check(config.rendezvous());
        }
        return new LazyHost(config, platform, ucx, carriesHost);
    }

    private static void check(String directory) {
        try {
            Pairings.check(Path.of(directory));
        } catch (IOException e) {
            throw new ConfigException(
                    Config.RENDEZVOUS, directory, "a directory of this user alone: " + e.getMessage());
        }
    }

    /** Makes them, where that has not been done. */
    Pairings get() {
        Pairings known = made;
        return known == null ? make() : known;
    }

    private synchronized Pairings make() {
        if (made == null) {
            made = new Pairings(
                    platform,
                    carriesHost ? rendezvous() : null,
                    config.memoryBytes(),
                    MovingNeeds::load,
                    config.host() == HostMode.UCX ? ucx.carrier() : null,
                    ucx.network());
            if (ended) {
                made.end(System.nanoTime());
            }
        }
        return made;
    }

    private PathSupplier rendezvous() {
        String chosen = config.rendezvous();
        return chosen.isEmpty() ? Pairings::defaultDirectory : () -> Path.of(chosen);
    }

    /** At the end of the process. */
    void end(long deadlineNanos) {
        Pairings known;
        synchronized (this) {
            ended = true;
            known = made;
        }
        if (known != null) {
            known.end(deadlineNanos);
        }
    }

    @Override
    public boolean reaches(InetAddress address) {
        return ucx.network() != null && get().reaches(address);
    }

    @Override
    public boolean yieldPort(int port) {
        Pairings known = made;
        return known != null && known.yieldPort(port);
    }

    @Override
    public void request(Movable connection) {
        get().request(connection);
    }

    @Override
    public void accepted(Movable connection) {
        get().accepted(connection);
    }

    @Override
    public void closed(Movable connection) {
        Pairings known = made;
        if (known != null) {
            known.closed(connection);
        }
    }

    @Override
    public AutoCloseable listening(InetSocketAddress bound) {
        return get().listening(bound);
    }
}
