package org.ucxnio.bench.launch;

import java.util.List;

/** The selector provider that a JVM runs on. */
public enum Provider {
    /** The JDK's own. */
    JDK("JDK", List.of()),

    /** Ours: one JAR, one flag, and the permission that native access needs. */
    UCX(
            "ucxnio",
            List.of(
                    "-Djava.nio.channels.spi.SelectorProvider=org.ucxnio.UcxSelectorProvider",
                    "--enable-native-access=ALL-UNNAMED"));

    private final String label;
    private final List<String> flags;

    Provider(String label, List<String> flags) {
        this.label = label;
        this.flags = flags;
    }

    public String label() {
        return label;
    }

    public List<String> flags() {
        return flags;
    }
}
