package org.ucxnio.it.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Peer;

/**
 * What a contract test is run with.
 *
 * @param pairing whose channels the two ends are
 * @param role whether the end under test connects or accepts
 * @param mode how both ends use their channels
 * @param placement where the far end runs
 */
record Setting(Pairing pairing, Role role, Mode mode, Placement placement) {
    /** Limits a run, for instance to {@code JDK}; a comma-separated list of pairings. */
    static final String PAIRINGS_PROPERTY = "ucxnio.it.pairings";

    /** The provider of the end under test and that of the far end. */
    enum Pairing {
        JDK(Flavour.JDK, Flavour.JDK),

        /** Every connection has moved to rings before the test gets it. */
        RINGS(Flavour.RINGS, Flavour.RINGS),

        /** Connections move while the test uses them. */
        RINGS_MOVING(Flavour.RINGS, Flavour.RINGS),

        /** Connections move when the far end, which connects, has used them for a while. */
        RINGS_LATER(Flavour.RINGS, Flavour.LATER),
        RINGS_WITH_PLAIN_PEER(Flavour.RINGS, Flavour.JDK),
        JDK_WITH_RINGS_PEER(Flavour.JDK, Flavour.RINGS),
        UCX_MESSAGES(Flavour.UCX_MESSAGES, Flavour.UCX_MESSAGES),
        UCX_MESSAGES_MOVING(Flavour.UCX_MESSAGES, Flavour.UCX_MESSAGES),
        UCX_MESSAGES_WITH_RINGS_PEER(Flavour.UCX_MESSAGES, Flavour.RINGS);

        private final Flavour local;
        private final Flavour remote;

        Pairing(Flavour local, Flavour remote) {
            this.local = local;
            this.remote = remote;
        }

        Flavour local() {
            return local;
        }

        Flavour remote() {
            return remote;
        }

        /** Whether a connection has moved before the test gets it. */
        boolean hasMoved() {
            return this == RINGS || this == UCX_MESSAGES;
        }

        /** Whether it is for this JVM, whose provider is the one or the other of ours. */
        private boolean isForThisJvm() {
            return (local == Flavour.UCX_MESSAGES) == Flavour.isMessagesHere();
        }

        static List<Pairing> wanted() {
            String wanted = System.getProperty(PAIRINGS_PROPERTY, "");
            return Stream.of(values())
                    .filter(Pairing::isForThisJvm)
                    .filter(pairing ->
                            wanted.isBlank() || List.of(wanted.split(",")).contains(pairing.name()))
                    .toList();
        }
    }

    enum Role {
        CLIENT,
        SERVER
    }

    enum Placement {
        ONE_JVM,
        TWO_JVMS
    }

    /** The provider under test. */
    Flavour flavour() {
        return pairing.local;
    }

    Peer peer() {
        return placement == Placement.ONE_JVM ? Peer.inThisJvm(pairing.remote) : Peer.inAnotherJvm(pairing.remote);
    }

    /** Everything. */
    static List<Setting> all() {
        List<Setting> settings = new ArrayList<>();
        for (Pairing pairing : Pairing.wanted()) {
            for (Placement placement : placements(pairing)) {
                for (Mode mode : Mode.values()) {
                    for (Role role : roles(pairing)) {
                        settings.add(new Setting(pairing, role, mode, placement));
                    }
                }
            }
        }
        return settings;
    }

    /** For tests of blocking calls. */
    static List<Setting> blocking() {
        return all().stream().filter(setting -> setting.mode == Mode.BLOCKING).toList();
    }

    /** For tests of non-blocking calls. */
    static List<Setting> selecting() {
        return all().stream().filter(setting -> setting.mode == Mode.SELECTOR).toList();
    }

    /** For tests that set up connections and modes themselves, and connect. */
    static List<Setting> clients() {
        return blocking().stream()
                .filter(setting -> setting.role == Role.CLIENT)
                .toList();
    }

    /** For tests that need no far end. */
    static List<Flavour> flavours() {
        return Pairing.wanted().stream()
                .map(pairing -> pairing.local)
                .distinct()
                .toList();
    }

    /** The end that connects decides when a connection moves, which makes a difference where the far end does. */
    private static List<Role> roles(Pairing pairing) {
        return pairing == Pairing.RINGS_LATER ? List.of(Role.SERVER) : List.of(Role.values());
    }

    private static List<Placement> placements(Pairing pairing) {
        boolean alike = pairing.local == pairing.remote;
        return alike ? List.of(Placement.values()) : List.of(Placement.TWO_JVMS);
    }

    @Override
    public String toString() {
        return pairing + " " + role + " " + mode + " " + placement;
    }
}
