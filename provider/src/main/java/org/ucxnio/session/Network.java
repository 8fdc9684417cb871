package org.ucxnio.session;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.ucxnio.config.Trust;
import org.ucxnio.link.Carrier;

/**
 * The hosts that this process has sessions with, and how. Trust goes by address. An address of this host is never trusted so: whoever
 * has it may be another user's process, which only the rendezvous tells apart.
 */
public final class Network {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_REMEMBERED = 4096;
    private static final long LOCAL_ADDRESS_NANOS = TimeUnit.SECONDS.toNanos(10);

    private record LocalAnswer(boolean local, long untilNanos) {}

    private final Carrier carrier;
    private final Trust trust;
    private final int offset;
    private final long timeoutNanos;
    private final long plainMemoryNanos;

    private final Predicate<InetAddress> ours;

    /** Owned by the session thread. */
    private final Map<InetAddress, LocalAnswer> localAddresses = new HashMap<>();

    /**
     * @param trust the networks whose hosts are trusted
     * @param offset the distance from a port to its companion port
     * @param timeoutNanos how long a client waits for a companion to be connected
     * @param plainMemoryNanos how long it is remembered that a port has no companion
     */
    public Network(Carrier carrier, Trust trust, int offset, long timeoutNanos, long plainMemoryNanos) {
        this(carrier, trust, offset, timeoutNanos, plainMemoryNanos, Network::isOurs);
    }

    /** @param ours whether an address leads to this host */
    Network(
            Carrier carrier,
            Trust trust,
            int offset,
            long timeoutNanos,
            long plainMemoryNanos,
            Predicate<InetAddress> ours) {
        this.ours = ours;
        this.carrier = carrier;
        this.trust = trust;
        this.offset = offset;
        this.timeoutNanos = timeoutNanos;
        this.plainMemoryNanos = plainMemoryNanos;
    }

    /** The companion port of {@code port}: above it, or below where there is no room above; less than 1 where there is none at all. */
    int companionPort(int port) {
        return port + offset > MAX_PORT ? port - offset : port + offset;
    }

    /** Whether an address is one of a trusted network. Any thread. */
    boolean trusts(InetAddress address) {
        return trust.contains(address);
    }

    /** Whether an address leads to this host. Session thread: it asks the kernel. */
    boolean isLocal(InetAddress address) {
        LocalAnswer answer = localAddresses.get(address);
        if (answer == null || System.nanoTime() - answer.untilNanos() >= 0) {
            answer = new LocalAnswer(ours.test(address), System.nanoTime() + LOCAL_ADDRESS_NANOS);
            if (localAddresses.size() >= MAX_REMEMBERED) {
                localAddresses.clear();
            }
            localAddresses.put(address, answer);
        }
        return answer.local();
    }

    /** Whether others may come to a listener that is bound to the address. */
    boolean isOpenToOthers(InetAddress bound) {
        return !bound.isLoopbackAddress() || !isLocal(bound);
    }

    private static boolean isOurs(InetAddress address) {
        if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
            return true;
        }
        try {
            return NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            return false;
        }
    }

    Carrier carrier() {
        return carrier;
    }

    long timeoutNanos() {
        return timeoutNanos;
    }

    long plainMemoryNanos() {
        return plainMemoryNanos;
    }
}
