package org.ucxnio.bench.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ucxnio.bench.child.Carrier;
import org.ucxnio.bench.child.Expectation;

/**
 * What the JVMs of a column run on: a selector provider, or something else that a program can be compared on. There is one
 * object for each.
 */
public final class Provider {
    private static final String PROPERTY = "-Djava.nio.channels.spi.SelectorProvider=";

    /** Where files are memory. */
    static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** Connections move once they have been used for a while, however crowded the machine is. */
    private static final String MOVE = "-Ducxnio.switch.after=128";

    /** The JDK's own. */
    public static final Provider JDK = new Provider("jdk", "JDK", "the JDK's provider");

    /** The JDK's own, and Unix-domain sockets in place of TCP. */
    public static final Provider UNIX = new Provider("unix", "JDK, Unix-domain", "Unix-domain sockets");

    /** Netty's own transport over epoll. */
    public static final Provider EPOLL = new Provider("epoll", "Netty epoll", "Netty's epoll transport");

    /** Netty's own transport over io_uring. */
    public static final Provider IO_URING = new Provider("io_uring", "Netty io_uring", "Netty's io_uring transport");

    /** Ours: one JAR, one flag. */
    public static final Provider UCXNIO = new Provider("ucxnio", "ucxnio", "ucxnio", Expectation.RINGS, List.of());

    /** Ours, with UCX messages instead of rings. */
    public static final Provider UCX =
            new Provider("ucx", "over UCX", "ucxnio over UCX", Expectation.UCX, List.of("-Ducxnio.host=ucx", MOVE));

    /** UCX without Java: {@code ucx_perftest}. */
    public static final Provider RAW_UCX = new Provider("raw-ucx", "raw UCX", "UCX without Java");

    /** Aeron over shared memory: what a program gets that is rewritten for it. */
    public static final Provider AERON = new Provider(
            "aeron",
            "Aeron IPC",
            "Aeron IPC",
            Expectation.ANY,
            List.of("--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"));

    /** All that can be had by name, in the order of the columns. */
    static final List<Provider> ALL = List.of(JDK, UNIX, EPOLL, IO_URING, UCXNIO, UCX, RAW_UCX, AERON);

    private final String name;
    private final String label;
    private final String description;
    private final Expectation expected;
    private final List<String> flags;
    private final List<Path> jars;

    private Provider(String name, String label, String description) {
        this(name, label, description, Expectation.ANY, List.of());
    }

    private Provider(String name, String label, String description, Expectation expected, List<String> flags) {
        this(name, label, description, expected, flags, List.of());
    }

    private Provider(
            String name, String label, String description, Expectation expected, List<String> flags, List<Path> jars) {
        this.name = name;
        this.label = label;
        this.description = description;
        this.expected = expected;
        this.flags = flags;
        this.jars = jars;
    }

    /**
     * Another selector provider: a class that lies in a JAR, which the JVMs on it have on their class path.
     *
     * @param suffix what tells it apart from others of its name
     */
    static Provider other(String className, Path jar, String suffix) {
        String label = className.substring(className.lastIndexOf('.') + 1) + suffix;
        List<String> flags = List.of(PROPERTY + className, "--enable-native-access=ALL-UNNAMED");
        return new Provider(label, label, className, Expectation.ANY, flags, List.of(jar));
    }

    /** Its name on the command line. */
    public String name() {
        return name;
    }

    /** Its name in tables. */
    public String label() {
        return label;
    }

    /** Its name in sentences. */
    public String description() {
        return description;
    }

    /** What must carry connections that live, where both sides run on this. */
    public Expectation expected() {
        return expected;
    }

    public boolean isOurs() {
        return this == UCXNIO || this == UCX;
    }

    /** Whether every program runs on it, and not only those that are written for it. */
    boolean isSelectorProvider() {
        return this == JDK || isOurs() || !jars.isEmpty();
    }

    /** What carries the bytes where neither side is ours. */
    String carrier() {
        if (this == UNIX) {
            return "Unix-domain socket";
        }
        return this == AERON || this == RAW_UCX ? "shared memory" : Carrier.TCP.label();
    }

    List<String> flags() {
        if (!isOurs()) {
            return flags;
        }
        List<String> all = new ArrayList<>(flags);
        all.add(0, "-javaagent:" + JvmCommand.providerJar());
        return all;
    }

    /** JARs on the class path before all others. */
    List<Path> jars() {
        return isOurs() ? List.of(JvmCommand.providerJar()) : jars;
    }

    /** Those with which connections leave TCP as they are meant to, though there may be little to gain. */
    List<String> movingFlags() {
        return this == UCXNIO ? List.of(MOVE) : List.of();
    }

    /** What its programs are told beyond the settings of the benchmark; they may make files in {@code directory}. */
    Map<String, String> settings(Path directory) {
        if (this == UNIX) {
            return Map.of("unix", directory.toString());
        }
        if (this == AERON) {
            return Map.of(
                    "aeron", SHARED_MEMORY.resolve(directory.getFileName()).toString());
        }
        return this == EPOLL || this == IO_URING ? Map.of("transport", name) : Map.of();
    }

    /** The main class of its programs, where {@code main} is that of all others. */
    String main(String main) {
        return this == AERON ? "org.ucxnio.bench.aeron.AeronMain" : main;
    }

    @Override
    public String toString() {
        return name;
    }
}
