package org.ucxnio.bench.child;

import java.util.Locale;

/** What must have carried the connections of a measured JVM. */
public enum Expectation {
    /** Whatever it was: nothing is checked. */
    ANY,
    /** Rings in shared memory, once the connections have moved. */
    RINGS,
    /** UCX messages, once the connections have moved. */
    UCX,
    /** The kernel's TCP: the peer has another provider. */
    TCP,
    /** TCP or rings: connections of so few bytes that they end before they move, or on so crowded a machine that it is not worth it. */
    TCP_OR_RINGS,
    /** TCP or UCX messages, for the same reasons. */
    TCP_OR_UCX;

    /** The inverse of {@link #setting}. */
    public static Expectation of(String setting) {
        return valueOf(setting.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** How a JVM is told: the value of its setting {@code expect}. */
    public String setting() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What is wrong with {@code carried} where {@code connections} are open, or empty. */
    String complaint(Carried carried, int connections) {
        if (this == ANY) {
            return "";
        }
        if (this == TCP) {
            return carried.besidesTcp();
        }
        if (!carried.present()) {
            return "the provider is not on the class path";
        }
        if (!carried.active()) {
            return "the provider is off: " + carried.inactiveReason();
        }
        return switch (this) {
            case RINGS -> most(carried, Carrier.RING, carried.inRings(), connections);
            case UCX -> most(carried, Carrier.UCX, carried.overUcx(), connections);
            case TCP_OR_UCX -> carried.ringTotal() == 0 ? "" : carried.ringTotal() + " bytes went through rings";
            default -> carried.ucxTotal() == 0 ? "" : carried.ucxTotal() + " bytes went over UCX";
        };
    }

    private static String most(Carried carried, Carrier wanted, int found, int connections) {
        if (found >= connections && carried.carrier() == wanted) {
            return "";
        }
        return "meant to be carried by %s, but %d of %d connections are; bytes in rings: %d, over UCX: %d, over TCP: %d"
                .formatted(
                        wanted.label(),
                        Math.min(found, connections),
                        connections,
                        carried.ringTotal(),
                        carried.ucxTotal(),
                        carried.tcpTotal());
    }
}
