package org.ucxnio.it.harness;

import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Whose channels a JVM or a test uses: the JDK's, which are the reference, or ours. */
public enum Flavour {
    JDK(),

    /** Ours. A connection between two processes of one host moves to rings as soon as it can. */
    RINGS("ucxnio.switch.after=0"),

    /** Ours, as users have it: a connection moves once it has been used for a while and processors are free. */
    DEFAULTS(),

    /** Ours. A connection moves once it has been used for a while, however crowded the machine is. */
    LATER("ucxnio.switch.after=128"),

    /** Ours, with messages over UCX between two processes of one host. */
    UCX_MESSAGES("ucxnio.host=ucx", "ucxnio.switch.after=0");

    private static final String HOST = "ucxnio.host";

    /** Both ends over UCX on one host have the same libucx. */
    private static final String UCX_PATH = "ucxnio.ucx.path";

    private final List<String> properties;

    Flavour(String... properties) {
        this.properties = List.of(properties);
    }

    public boolean isOurs() {
        return this != JDK;
    }

    /** The provider for use in this JVM, whose default provider stays the JDK's. Ours reads its properties once. */
    public SelectorProvider provider() {
        if (this == JDK) {
            return SelectorProvider.provider();
        }
        if (isMessagesHere() != (this == UCX_MESSAGES)) {
            throw new IllegalStateException("-D" + HOST + "=" + System.getProperty(HOST) + " is not for " + this);
        }
        return OursHolder.PROVIDER;
    }

    /** Whether our provider, in this JVM, is the one of {@link #UCX_MESSAGES}. */
    public static boolean isMessagesHere() {
        return "ucx".equals(System.getProperty(HOST));
    }

    /** The flags that make it the default provider of a child JVM. */
    public List<String> jvmFlags() {
        if (!isOurs()) {
            return List.of();
        }
        List<String> flags = new ArrayList<>(List.of(
                "-Djava.nio.channels.spi.SelectorProvider=org.ucxnio.UcxSelectorProvider",
                "--enable-native-access=ALL-UNNAMED"));
        properties.forEach(property -> flags.add("-D" + property));
        if (System.getProperty(UCX_PATH) != null) {
            flags.add("-D" + UCX_PATH + "=" + System.getProperty(UCX_PATH));
        }
        return flags;
    }

    /** What it adds to the class path of a child JVM. */
    public List<Path> classPath() {
        return isOurs() ? List.of(Locations.ucxnioJar()) : List.of();
    }

    private static final class OursHolder {
        private static final SelectorProvider PROVIDER = start();

        private static SelectorProvider start() {
            setUnlessSet("ucxnio.switch.after", "0");
            setUnlessSet(Rendezvous.PROPERTY, Rendezvous.ofThisJvm().path().toString());
            return new org.ucxnio.UcxSelectorProvider();
        }

        private static void setUnlessSet(String property, String value) {
            if (System.getProperty(property) == null) {
                System.setProperty(property, value);
            }
        }
    }
}
