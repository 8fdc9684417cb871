package org.ucxnio;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ucxnio.channel.MovingNeeds;
import org.ucxnio.config.Config;
import org.ucxnio.config.ConfigException;
import org.ucxnio.config.HostMode;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.LateSubclasses;
import org.ucxnio.jdk.OwnThread;
import org.ucxnio.link.Carrier;
import org.ucxnio.session.AcceptedTable;
import org.ucxnio.session.Host;
import org.ucxnio.session.Movable;
import org.ucxnio.session.Pace;
import org.ucxnio.session.Pairings;
import org.ucxnio.session.PathSupplier;

/**
 * The sessions of this process, made when a connection first needs them, or a little after the first listener: a process that starts has no
 * time for more, and no client asks that early for a connection of its own accord. Thread-safe.
 *
 * <p><b>Locks.</b> The monitors of the early listeners and of the accepted table are taken inside this one's, or alone.
 */
final class LazyHost implements Host, Runnable {
    /** From the first listener until clients of this host find it. A client tries for longer than that. */
    private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Between tries, where sessions cannot be had for want of something. */
    private static final long LONGEST_DELAY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Config config;
    private final SelectorProvider platform;
    private final OverUcx ucx;
    private final boolean carriesHost;
    private final boolean hasTime;
    private final EarlyListeners early = new EarlyListeners();
    private final AcceptedTable accepted = new AcceptedTable();

    /** Null before they are needed. Written with the monitor held. */
    private volatile Pairings made;

    // -- guarded by the monitor --

    private boolean ended;

    /** Whether a thread will make them, and names the early listeners. */
    private boolean starting;

    // -- end --

    private LazyHost(Config config, SelectorProvider platform, OverUcx ucx, boolean carriesHost) {
        this.config = config;
        this.platform = platform;
        this.ucx = ucx;
        this.carriesHost = carriesHost;
        // Companions want their ports as early as applications do; who says when connections move may mean at once.
        this.hasTime = ucx.network() == null && config.switchAfter() == Config.AUTO;
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
            LateSubclasses.load();
            Carrier messages = config.host() == HostMode.UCX ? ucx.carrier() : null;
            PathSupplier path = carriesHost ? rendezvous() : null;
            made = new Pairings(
                    new Pairings.Means(
                            platform, path, config.memoryBytes(), MovingNeeds::load, messages, ucx.network()),
                    accepted);
            if (ended) {
                made.end(System.nanoTime());
            }
        }
        early.repeatTo(made);
        return made;
    }

    /** Whether sessions can wait until the process has started: then {@link #run} makes them. */
    private synchronized boolean canWait() {
        if (made != null || !hasTime) {
            return false;
        }
        if (!starting) {
            starting = startThread();
        }
        return starting;
    }

    /** False where there is none to be had: then the call that wanted it does without. */
    private boolean startThread() {
        try {
            OwnThread.of(this, "ucxnio-start").start();
            return true;
        } catch (RuntimeException | Error e) {
            Log.debug("No thread to start sessions later", e);
            return false;
        }
    }

    @Override
    public void run() {
        long delay = DELAY_NANOS;
        do {
            LockSupport.parkNanos(delay);
            delay = Math.min(2 * delay, LONGEST_DELAY_NANOS);
        } while (!startsNow());
    }

    private boolean startsNow() {
        try {
            synchronized (this) {
                if (!ended) {
                    make();
                }
            }
            return true;
        } catch (RuntimeException | Error e) {
            Log.debug("No sessions yet", e);
            return false;
        }
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
    public void request(Movable connection, Pace pace) {
        get().request(connection, pace);
    }

    @Override
    public void accepted(Movable connection) {
        accepted.add(connection);
        if (made == null && !canWait()) {
            get();
        }
    }

    @Override
    public void closed(Movable connection) {
        if (made == null) {
            accepted.remove(connection);
        }
        // Whoever has found it in the table before it was removed has been made before.
        Pairings known = made;
        if (known != null) {
            known.closed(connection);
        }
    }

    @Override
    public Closeable listening(InetSocketAddress bound) {
        if (made == null) {
            synchronized (this) {
                if (canWait()) {
                    return early.listening(bound);
                }
            }
        }
        return get().listening(bound);
    }
}
