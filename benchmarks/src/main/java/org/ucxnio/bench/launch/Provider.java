package org.ucxnio.bench.launch;

import java.util.List;
import org.ucxnio.bench.child.Expectation;

/** The selector provider that a JVM runs on, and what it has carry the bytes. */
public enum Provider {
    /** The JDK's own. */
    JDK("JDK", Expectation.ANY, List.of()),

    /** Ours: one JAR, one flag, and the permission that native access needs. */
    UCXNIO("ucxnio", Expectation.RINGS, Flags.OURS),

    /** Ours, with UCX messages instead of rings. */
    UCX("over UCX", Expectation.UCX, Flags.OVER_UCX);

    private final String label;
    private final Expectation expected;
    private final List<String> flags;

    Provider(String label, Expectation expected, List<String> flags) {
        this.label = label;
        this.expected = expected;
        this.flags = flags;
    }

    /** Flags of JVMs on our provider. */
    private static final class Flags {
        /** Connections move once they have been used for a while, however crowded the machine is. */
        static final String MOVE = "-Ducxnio.switch.after=128";

        static final List<String> OURS = List.of(
                "-Djava.nio.channels.spi.SelectorProvider=org.ucxnio.UcxSelectorProvider",
                "--enable-native-access=ALL-UNNAMED");
        static final List<String> OVER_UCX = List.of(OURS.get(0), OURS.get(1), "-Ducxnio.host=ucx", MOVE);
    }

    /** Its name in tables. */
    public String label() {
        return label;
    }

    /** Its name in sentences. */
    public String description() {
        return switch (this) {
            case JDK -> "the JDK's provider";
            case UCXNIO -> "ucxnio";
            case UCX -> "ucxnio over UCX";
        };
    }

    /** What must carry connections that live, where both sides run on this. */
    public Expectation expected() {
        return expected;
    }

    public boolean isOurs() {
        return this != JDK;
    }

    List<String> flags() {
        return flags;
    }

    /** Those with which connections leave TCP as they are meant to, though there may be little to gain. */
    List<String> movingFlags() {
        return this == UCXNIO ? List.of(Flags.MOVE) : List.of();
    }
}
