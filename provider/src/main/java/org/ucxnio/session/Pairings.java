package org.ucxnio.session;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.ucxnio.link.Carrier;
import org.ucxnio.memory.MemoryBudget;

/**
 * Pairs connections of this process with their other ends in processes of the same host and user, and of hosts of trusted networks,
 * so that they can move off TCP. Thread-safe; no method waits, except {@link #end}. Nothing is started, and no file made, before there is a listener or a
 * connection is worth it.
 *
 * <p><b>Why two ends that were paired are the two ends of one connection.</b> Within one network namespace the kernel never has two
 * established sockets with the same local and remote address. A client asks with the addresses of a socket that is established, and
 * looks after the answer that it still is; so it was at all times between. Between these looks the server has found a socket of its own
 * with just these addresses, mirrored, in the same namespace (the number of the namespace is compared), and has seen it established. At
 * that moment both were established, and what either sends is delivered to the other, since there is no other socket with its
 * addresses. Where an address is translated on the way, the two ends see different addresses, and the server finds none. Where a
 * server has several sockets of the same addresses, of which all but one are dead, it takes none. IPv6 addresses of one link only do
 * not name a socket without their interface, and stay plain.
 *
 * <p>Between hosts there is no number of a namespace to compare. Instead the session goes from the very address that the connection has
 * at the client to the one that it goes to, and the server compares how it sees the session's addresses with those it is told: where
 * anything on the way translates them, it refuses. Untranslated, the client's packets reach a socket with just these addresses, and on
 * the server's host there is only one.
 *
 * <p>The exchange, each step on the session thread of its process:
 *
 * <ol>
 *   <li>The client looks that the connection is established, opens its end of a lane and asks: PAIR.
 *   <li>The server finds the connection, opens its own end, listens to the client's, and answers PAIRED. Or it refuses,
 *       and then has never looked at the client's end; the client asks again where it was too early.
 *   <li>The client looks again that the connection is established, listens to the server's end, confirms, and may write to its own:
 *       it knows that the server listens. Or it takes all back: CANCEL.
 *   <li>The server, once that is confirmed, may write. Where it is taken back it stops listening and says RELEASED: only
 *       then is the client's end used again.
 * </ol>
 */
public final class Pairings implements Host {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SessionSetting setting;

    /** Null where connections of this host stay. */
    private final Meeting meeting;

    private final Routes routes;
    private final ListenerNames names;

    /** Null where no network is trusted. */
    private final Companions companions;

    /**
     * What this process has for moving its connections.
     *
     * @param platform the provider of the channels and the selector, not the one that uses this
     * @param path where the rendezvous directory is; see {@link #defaultDirectory}; null where connections of this host stay
     * @param memoryLimit bytes that the rings of this process may take together; 0 for a quarter of what the process may have of the
     *     machine's memory
     * @param warmUp loads what pairing needs, if it is not loaded yet; run by the session thread
     * @param messages carries connections of this host; null where rings do
     * @param network null where no network is trusted, or none can be reached
     */
    public record Means(
            SelectorProvider platform,
            PathSupplier path,
            long memoryLimit,
            Runnable warmUp,
            Carrier messages,
            Network network) {}

    /**
     * Cheap: opens and starts nothing.
     *
     * @param accepted what was accepted before, and will be
     */
    public Pairings(Means means, AcceptedTable accepted) {
        this(means, accepted, Timing.USUAL);
    }

    Pairings(Means means, AcceptedTable accepted, Timing timing) {
        SessionLoop loop = new SessionLoop(means.platform());
        setting = new SessionSetting(
                loop,
                new MemoryBudget(means.memoryLimit()),
                timing,
                new Members(),
                accepted,
                new SessionCount(),
                means.network(),
                means.warmUp());
        meeting = means.path() == null ? null : new Meeting(means.platform(), means.path(), means.messages(), setting);
        routes = new Routes(means.platform(), meeting, setting);
        names = new ListenerNames(meeting, loop, timing);
        companions = means.network() == null ? null : new Companions(means.platform(), setting);
    }

    /** The rendezvous directory that is used where none was chosen. Reads which user this process has. */
    public static Path defaultDirectory() throws IOException {
        return Rendezvous.defaultPath();
    }

    /**
     * Whether a rendezvous directory that was chosen can be used; makes it where there is none.
     *
     * @throws IOException with one line that says why not
     */
    public static void check(Path directory) throws IOException {
        Rendezvous.check(directory);
    }

    // -- for channels: no lambdas and no text is put together, which would load classes at the first connection -------

    @Override
    public void request(Movable connection, Pace pace) {
        AddressPair addresses = AddressPair.of(connection);
        if (addresses != null) {
            Pairing pairing = new Pairing(connection, addresses, Pairing.State.WAITING);
            pairing.deadline(System.nanoTime() + setting.timing().patienceNanos());
            pairing.pace(pace);
            if (setting.members().add(pairing)) {
                setting.loop().execute(new Request(pairing));
            }
        }
    }

    private final class Request implements Runnable {
        private final Pairing pairing;

        Request(Pairing pairing) {
            this.pairing = pairing;
        }

        @Override
        public void run() {
            routes.request(pairing);
        }
    }

    @Override
    public void accepted(Movable connection) {
        setting.accepted().add(connection);
    }

    @Override
    public void closed(Movable connection) {
        setting.accepted().remove(connection);
        setting.members().closed(connection);
    }

    @Override
    public boolean reaches(InetAddress address) {
        return setting.network() != null && setting.network().trusts(address);
    }

    @Override
    public boolean yieldPort(int port) {
        return companions != null && companions.yieldPort(port);
    }

    @Override
    public Closeable listening(InetSocketAddress bound) {
        Listening listening = new Listening(bound);
        setting.loop().execute(listening);
        return listening;
    }

    /** Runs first as the opening, then as the closing. */
    private final class Listening implements Runnable, Closeable {
        private final InetSocketAddress bound;
        private final AtomicBoolean closed = new AtomicBoolean();

        // -- owned by the session thread --
        private boolean opened;

        Listening(InetSocketAddress bound) {
            this.bound = bound;
        }

        @Override
        public void run() {
            try {
                change();
                opened = true;
            } catch (OutOfMemoryError e) {
                setting.loop().schedule(LOOK_NANOS, this);
            }
        }

        /** May be done twice, where there was no memory for the whole of it. */
        private void change() {
            if (meeting != null && opened) {
                names.close(bound);
            } else if (meeting != null) {
                names.open(bound);
            }
            if (companions != null && opened) {
                companions.close(bound);
            } else if (companions != null) {
                companions.open(bound);
            }
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                setting.loop().execute(this);
            }
        }
    }

    // -- for the report ----------------------------------------------------------------------------------------------

    /** Why this process has no sessions, in a line; null where it has, or has not needed any. */
    public String unavailable() {
        return meeting == null ? null : meeting.unavailable();
    }

    /** Listeners that clients of this host cannot find, and why. */
    public Map<InetSocketAddress, String> listenerProblems() {
        return names.problems();
    }

    /** Sessions that are open. */
    public int openSessions() {
        return setting.sessions().open();
    }

    /** Connections that were paired since the start; one within this process counts twice. */
    public int pairedConnections() {
        return setting.sessions().totalPaired();
    }

    /** Bytes that the rings of this process hold. */
    public long memoryHeld() {
        return setting.budget().held();
    }

    /** What the last ring that could not be had, or not be larger, was short of; null where none was missed. */
    public String memoryShortage() {
        return setting.budget().shortage();
    }

    /** Bytes that the rings of this process may hold. */
    public long memoryLimit() {
        return setting.budget().limit();
    }

    // -- the end -----------------------------------------------------------------------------------------------------

    /**
     * The process ends. Waits until the peers have mapped all the memory that this process made, but not longer than to the deadline;
     * then its names go and the thread ends. Sessions stay open until the kernel closes them: connections are used to the last.
     */
    public void end(long deadlineNanos) {
        setting.budget().close();
        Rendezvous rendezvous = current();
        if (rendezvous != null) {
            awaitMapped(rendezvous, deadlineNanos);
        }
        setting.loop().exit(deadlineNanos);
        rendezvous = current();
        if (rendezvous != null) {
            rendezvous.leave();
        }
    }

    /** Stops as a process does that is killed: for tests. */
    void kill() throws IOException {
        setting.loop().stop(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        setting.loop().closeChannels();
        if (current() != null) {
            current().close();
        }
    }

    private Rendezvous current() {
        return meeting == null ? null : meeting.current();
    }

    private static void awaitMapped(Rendezvous rendezvous, long deadlineNanos) {
        try {
            while (rendezvous.hasSlabNames() && System.nanoTime() - deadlineNanos < 0) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        } catch (IOException e) {
            // The directory has gone: nobody finds anything there.
        }
    }
}
