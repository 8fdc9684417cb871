package org.ucxnio.transport;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ucxnio.config.Config;
import org.ucxnio.counters.Log;
import org.ucxnio.counters.SpareDescriptors;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.posix.Posix;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.UcxLibrary;

/** The transport of a process: UCX contexts, worker groups, open connections. Thread-safe. */
public final class Transport {
    /** How UCX names the device that leads to no other host. */
    private static final String LOOPBACK = "/lo";

    /** Where UCX has its shared memory. */
    public static final Path SHM_FOLDER =
            Path.of(Objects.requireNonNullElse(System.getenv("UCX_POSIX_DIR"), "/dev/shm"));

    /** How often links and memory are looked after; see {@link #tidy}. */
    private static final long TIDY_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final int FIFO_SLOTS = 64;

    /**
     * Bytes of a slot's buffer in shared memory: a frame of 32 KiB and UCX's header. 64 of these together are larger than a core's
     * cache of the second level, and so what one core writes has left for the shared cache by the time the other reads it, which
     * doubles the throughput of 8 KiB segments. Peers must agree on it.
     */
    public static final int SEGMENT_BYTES = (32 << 10) + 64;

    private final Config config;
    private final UcxLibrary library;
    private final Poller poller;
    private final SpinGovernor governor;
    private final UcxContext hostContext;
    private final UcxContext networkContext;
    private final String networkUnavailable;

    private final UUID processId = UUID.randomUUID();
    private final WorkerGroup[] blockingGroups;
    private final Set<WorkerGroup> groups = ConcurrentHashMap.newKeySet();
    private final Set<BoundConnection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger nextBlockingGroup = new AtomicInteger();

    /** Guards itself and the two sums; a leaf below the workers' locks. */
    private final Set<TransportWorker> liveWorkers = new HashSet<>();

    private long retiredSent;
    private long retiredReceived;

    /** With a governor of its own. */
    public Transport(Config config, UcxLibrary library, Posix posix) throws IOException {
        this(config, library, posix, new SpinGovernor(config));
    }

    /**
     * Opens the contexts and starts the poller thread.
     *
     * @param governor the one of this process
     */
    public Transport(Config config, UcxLibrary library, Posix posix, SpinGovernor governor) throws IOException {
        this.config = config;
        this.library = library;
        this.governor = governor;
        this.hostContext = library.openContext(new UcxContextOptions("ucxnio-host", hostConfig(hostTransports())));
        UcxContext network = null;
        String unavailable = "no network is trusted (" + Config.TRUST + ")";
        if (!config.trust().isEmpty()) {
            try {
                network = openNetwork(library, config);
                unavailable = null;
            } catch (IOException e) {
                unavailable = "UCX finds no transport among " + Config.TLS + "=" + config.networkTransports() + " ("
                        + e.getMessage() + ")";
                Log.warn("Connections to other hosts stay plain: " + unavailable);
            }
        }
        this.networkContext = network;
        this.networkUnavailable = unavailable;
        this.poller = new Poller(posix);
        this.blockingGroups = new WorkerGroup[config.workers()];
        for (int i = 0; i < blockingGroups.length; i++) {
            blockingGroups[i] = newGroup();
        }
        poller.start();
        poller.repeat(TIDY_NANOS, this::tidy);
    }

    private static UcxContext openNetwork(UcxLibrary library, Config config) throws IOException {
        UcxContext network = library.openContext(new UcxContextOptions("ucxnio-network", networkConfig(config)));
        try {
            requireDescriptors();
            network.createWorker(Probe.INSTANCE).close();
            List<String> names = network.transports();
            // Where UCX names none in a way that is understood, nothing is known against it.
            if (!names.isEmpty() && names.stream().allMatch(name -> name.endsWith(LOOPBACK))) {
                throw new IOException("no device is up but the loopback");
            }
            return network;
        } catch (IOException e) {
            network.close();
            throw e;
        }
    }

    /** What peers on one host must agree on is fixed here, whatever a libucx version's own defaults are. */
    private static Map<String, String> hostConfig(String transports) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("TLS", transports);
        options.put("MM_ERROR_HANDLING", "y");
        options.put("MM_FIFO_SIZE", Integer.toString(FIFO_SLOTS));
        options.put("MM_RX_BUFS_GROW", Integer.toString(FIFO_SLOTS + 8));
        options.put("MM_SEG_SIZE", Integer.toString(SEGMENT_BYTES));
        options.put("RNDV_THRESH", "inf");
        options.put("MAX_EAGER_LANES", "1");
        // The sockets tell of a dead peer, and at once.
        options.put("KEEPALIVE_INTERVAL", "inf");
        return options;
    }

    private static Map<String, String> networkConfig(Config config) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("TLS", config.networkTransports());
        options.put("RNDV_THRESH", "inf");
        options.put("MAX_EAGER_LANES", "1");
        return options;
    }

    /** A new group of workers, for a selector. */
    public WorkerGroup newGroup() {
        WorkerGroup group = new WorkerGroup(this);
        groups.add(group);
        return group;
    }

    /** The group for a channel that is first used in blocking mode; they are taken in turn. */
    public WorkerGroup blockingGroup() {
        return blockingGroups[Math.floorMod(nextBlockingGroup.getAndIncrement(), blockingGroups.length)];
    }

    void opened(BoundConnection connection) {
        connections.add(connection);
    }

    TransportWorker newWorker(WorkerGroup group, TransportWorker.Key key) throws IOException {
        UcxContext context = key.ownWorker() ? hostContext : networkContext;
        if (context == null) {
            throw new IOException("UCX does not reach other hosts: " + networkUnavailable);
        }
        requireDescriptors();
        TransportWorker worker = new TransportWorker(group, key, context, poller);
        synchronized (liveWorkers) {
            liveWorkers.add(worker);
        }
        return worker;
    }

    /** Where libucs gets some of the descriptors that its thread takes, and not all of them, it ends the process. */
    private static void requireDescriptors() throws IOException {
        if (!SpareDescriptors.exist()) {
            throw new IOException("Too many open files");
        }
    }

    void forget(BoundConnection connection) {
        connections.remove(connection);
    }

    void forget(WorkerGroup group) {
        if (group.workers().isEmpty()) {
            groups.remove(group);
        }
    }

    /** A worker ends: its bytes are counted here from now on. */
    void retired(TransportWorker worker) {
        synchronized (liveWorkers) {
            liveWorkers.remove(worker);
            retiredSent += worker.bytesSent();
            retiredReceived += worker.bytesReceived();
        }
    }

    /**
     * Keeps a known flaw of libucx up to 1.19 away: an endpoint that stays idle while others put 2^31 messages into its peer's
     * FIFO may take a full FIFO for an empty one. A message now and then brings its view up to date.
     */
    private void tidy() {
        for (WorkerGroup group : groups) {
            for (TransportWorker worker : group.workers()) {
                worker.tidy();
            }
        }
    }

    /** At the exit of the JVM: waits, until {@code deadlineNanos} at most, until what was written has left, and tells the peers. */
    public void flushForExit(long deadlineNanos) {
        boolean last;
        boolean done;
        do {
            last = System.nanoTime() - deadlineNanos >= 0;
            done = true;
            for (BoundConnection connection : connections) {
                done &= connection.flushForExit(last);
            }
            for (TransportWorker worker : liveWorkers()) {
                done &= worker.flushForExit();
            }
            Thread.onSpinWait();
        } while (!done && !last);
    }

    /** The JVM ends, behind {@link #flushForExit}: what still goes on must not keep it. */
    public void end() {
        poller.end();
    }

    private List<TransportWorker> liveWorkers() {
        synchronized (liveWorkers) {
            return List.copyOf(liveWorkers);
        }
    }

    public Config config() {
        return config;
    }

    public UcxLibrary library() {
        return library;
    }

    /** UCX transports between processes of this host. */
    String hostTransports() {
        return config.hostTransports().isEmpty() ? library.hostTransport() : config.hostTransports();
    }

    public Poller poller() {
        return poller;
    }

    public SpinGovernor governor() {
        return governor;
    }

    /** Chosen at random at start; tells peers whether two connections lead to the same process. */
    public UUID processId() {
        return processId;
    }

    /** Why peers on other hosts are out of reach, or null when they are not. */
    public String networkUnavailable() {
        return networkUnavailable;
    }

    /** The transports UCX found, for the report. */
    public List<String> transports() {
        Set<String> names = new LinkedHashSet<>(hostContext.transports());
        if (networkContext != null) {
            names.addAll(networkContext.transports());
        }
        return List.copyOf(names);
    }

    /** The lanes in use now, for the report. */
    public List<String> lanes() {
        Set<String> lanes = new LinkedHashSet<>();
        for (WorkerGroup group : groups) {
            for (TransportWorker worker : group.workers()) {
                lanes.addAll(worker.lanes());
            }
        }
        return List.copyOf(lanes);
    }

    /** Bytes applications wrote to accelerated connections since start. */
    public long bytesSent() {
        synchronized (liveWorkers) {
            long sum = retiredSent;
            for (TransportWorker worker : liveWorkers) {
                sum += worker.bytesSent();
            }
            return sum;
        }
    }

    /** Bytes that arrived over UCX since start. */
    public long bytesReceived() {
        synchronized (liveWorkers) {
            long sum = retiredReceived;
            for (TransportWorker worker : liveWorkers) {
                sum += worker.bytesReceived();
            }
            return sum;
        }
    }
}
