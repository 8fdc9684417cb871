package org.ucxnio.config;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The configuration of a process: system properties {@code ucxnio.*}, read once and checked as a whole. Immutable.
 *
 * @param enabled {@value #ENABLED} (true): false makes the provider the JDK's own
 * @param required {@value #REQUIRED} (false): true makes it an error at start when no connection can be accelerated
 * @param host {@value #HOST} (rings): what carries connections between two processes of this host: rings, ucx, or off for TCP
 * @param switchAfter {@value #SWITCH_AFTER} (auto: {@link #AUTO}): how many calls that moved bytes a connection has to see before it
 *     moves off TCP, however crowded the machine is; 0 for at once
 * @param rendezvous {@value #RENDEZVOUS} (empty: {@code /dev/shm/ucxnio-UID}): directory where processes of one user find each other
 * @param memoryBytes {@value #MEMORY} (0: a quarter of what this process may have of the machine's memory): memory for rings that this
 *     process makes, at most
 * @param ucxBackend {@value #UCX_BACKEND} (auto): how UCX is called: ffm (Java 22 and later), jucx (JUCX and JNA on the class path), or
 *     the first of them that runs
 * @param ucxPath {@value #UCX_PATH} (empty): a libucp file or a directory that holds one
 * @param ucxLogFile {@value #UCX_LOG_FILE} (empty: standard error): where UCX writes its own log lines
 * @param hostTransports {@value #HOST_TLS} (empty: what the version of UCX does without crashing): UCX transports between processes of one
 *     host
 * @param networkTransports {@value #TLS} (ib): UCX transports between hosts, such as {@code ib} or {@code tcp}
 * @param trust {@value #TRUST} (empty): networks whose hosts are trusted, such as {@code 10.1.0.0/16,fd00::/8}
 * @param companionOffset {@value #COMPANION_OFFSET} (10000): distance from a port to its companion port
 * @param companionTimeoutNanos {@value #COMPANION_TIMEOUT} (1s): how long a client tries to reach a companion at a
 *     time
 * @param plainMemoryNanos {@value #PLAIN_MEMORY} (5s): how long a client remembers that a port has no companion
 * @param windowBytes {@value #WINDOW} (4m): bytes a sender may have under way that the receiving application has not
 *     read; about what two kernels' TCP buffers take, for programs that write a lot before they read
 * @param windowMessages {@value #WINDOW_MESSAGES} (16384): messages a sender may have under way
 * @param frameBytes {@value #FRAME} (32k): largest UCX message, header included
 * @param workers {@value #WORKERS} (2): workers for channels in blocking mode, for each peer process
 * @param waitMode {@value #WAIT} (adaptive): how threads wait: adaptive, spin or block
 * @param spinNanos {@value #SPIN} (15us): how long a waiting thread spins after the last event
 * @param drainNanos {@value #DRAIN} (10s): how long a closed channel may take to deliver what was written
 * @param exitFlushNanos {@value #EXIT_FLUSH} (2s): how long the exit of the JVM waits for written bytes to leave
 */
public record Config(
        boolean enabled,
        boolean required,
        HostMode host,
        int switchAfter,
        String rendezvous,
        long memoryBytes,
        BackendChoice ucxBackend,
        String ucxPath,
        String ucxLogFile,
        String hostTransports,
        String networkTransports,
        Trust trust,
        int companionOffset,
        long companionTimeoutNanos,
        long plainMemoryNanos,
        int windowBytes,
        int windowMessages,
        int frameBytes,
        int workers,
        WaitMode waitMode,
        long spinNanos,
        long drainNanos,
        long exitFlushNanos) {

    /** No lambda: the first ones of a process cost it milliseconds, and this is read in its start. */
    private static final class SystemProperties implements Function<String, String> {
        @Override
        public String apply(String name) {
            return System.getProperty(name);
        }
    }

    private static final class NoProperties implements Function<String, String> {
        @Override
        public String apply(String name) {
            return null;
        }
    }

    /** A connection moves off TCP once it has been used for a while and that is worth it. */
    public static final int AUTO = -1;

    public static final String ENABLED = "ucxnio.enabled";
    public static final String REQUIRED = "ucxnio.required";
    public static final String HOST = "ucxnio.host";
    public static final String SWITCH_AFTER = "ucxnio.switch.after";
    public static final String RENDEZVOUS = "ucxnio.rendezvous";
    public static final String MEMORY = "ucxnio.memory";
    public static final String UCX_BACKEND = "ucxnio.ucx.backend";
    public static final String UCX_PATH = "ucxnio.ucx.path";
    public static final String UCX_LOG_FILE = "ucxnio.ucx.log";
    public static final String HOST_TLS = "ucxnio.host.tls";
    public static final String TLS = "ucxnio.tls";
    public static final String TRUST = "ucxnio.trust";
    public static final String COMPANION_OFFSET = "ucxnio.companion.offset";
    public static final String COMPANION_TIMEOUT = "ucxnio.companion.timeout";
    public static final String PLAIN_MEMORY = "ucxnio.companion.memory";
    public static final String WINDOW = "ucxnio.window";
    public static final String WINDOW_MESSAGES = "ucxnio.window.messages";
    public static final String FRAME = "ucxnio.frame";
    public static final String WORKERS = "ucxnio.workers";
    public static final String WAIT = "ucxnio.wait";
    public static final String SPIN = "ucxnio.spin";
    public static final String DRAIN = "ucxnio.drain";
    public static final String EXIT_FLUSH = "ucxnio.exit.flush";

    /** Reads the system properties. */
    public static Config fromSystemProperties() {
        return from(new SystemProperties());
    }

    /**
     * Reads the properties that {@code source} gives by name, null meaning not set.
     *
     * @throws ConfigException naming the first property that cannot be read
     */
    public static Config from(Function<String, String> source) {
        PropertyReader in = new PropertyReader(source);
        return new Config(
                in.flag(ENABLED, true),
                in.flag(REQUIRED, false),
                in.choice(HOST, HostMode.RINGS, HostMode.values()),
                in.numberOr("auto", AUTO, SWITCH_AFTER, 0, 1_000_000_000),
                in.text(RENDEZVOUS, ""),
                in.longSize(MEMORY, 0, 0, 1L << 40),
                in.choice(UCX_BACKEND, BackendChoice.AUTO, BackendChoice.values()),
                in.text(UCX_PATH, ""),
                in.text(UCX_LOG_FILE, ""),
                in.text(HOST_TLS, ""),
                in.text(TLS, "ib"),
                Trust.parse(TRUST, in.text(TRUST, "")),
                in.number(COMPANION_OFFSET, 10_000, 1, 32_767),
                in.durationNanos(COMPANION_TIMEOUT, Duration.ofSeconds(1), Duration.ofMillis(1), Duration.ofMinutes(1)),
                in.durationNanos(PLAIN_MEMORY, Duration.ofSeconds(5), Duration.ZERO, Duration.ofMinutes(60)),
                in.size(WINDOW, 4 << 20, 16 << 10, 64 << 20),
                in.number(WINDOW_MESSAGES, 16 << 10, 16, 1 << 20),
                in.size(FRAME, 32 << 10, 1 << 10, 64 << 10),
                in.number(WORKERS, 2, 1, 64),
                in.choice(WAIT, WaitMode.ADAPTIVE, WaitMode.values()),
                in.durationNanos(SPIN, Duration.ofNanos(15_000), Duration.ZERO, Duration.ofSeconds(1)),
                in.durationNanos(DRAIN, Duration.ofSeconds(10), Duration.ofMillis(1), Duration.ofMinutes(10)),
                in.durationNanos(EXIT_FLUSH, Duration.ofSeconds(2), Duration.ZERO, Duration.ofMinutes(10)));
    }

    /** Whether there is a property of that name. */
    public static boolean isProperty(String name) {
        return from(new NoProperties()).asMap().containsKey(name);
    }

    /** The values by property name, in the order of the documentation; durations in nanoseconds. */
    public Map<String, Object> asMap() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put(ENABLED, enabled);
        values.put(REQUIRED, required);
        values.put(HOST, host);
        values.put(SWITCH_AFTER, switchAfter == AUTO ? "auto" : switchAfter);
        values.put(RENDEZVOUS, rendezvous);
        values.put(MEMORY, memoryBytes);
        values.put(UCX_BACKEND, ucxBackend);
        values.put(UCX_PATH, ucxPath);
        values.put(UCX_LOG_FILE, ucxLogFile);
        values.put(HOST_TLS, hostTransports);
        values.put(TLS, networkTransports);
        values.put(TRUST, trust);
        values.put(COMPANION_OFFSET, companionOffset);
        values.put(COMPANION_TIMEOUT, companionTimeoutNanos + "ns");
        values.put(PLAIN_MEMORY, plainMemoryNanos + "ns");
        values.put(WINDOW, windowBytes);
        values.put(WINDOW_MESSAGES, windowMessages);
        values.put(FRAME, frameBytes);
        values.put(WORKERS, workers);
        values.put(WAIT, waitMode);
        values.put(SPIN, spinNanos + "ns");
        values.put(DRAIN, drainNanos + "ns");
        values.put(EXIT_FLUSH, exitFlushNanos + "ns");
        return values;
    }
}
