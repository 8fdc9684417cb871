package org.ucxnio.it.programs;

import com.hazelcast.config.Config;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.map.IMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ucxnio.it.harness.Threads;

/**
 * One of two Hazelcast members that share a map. {@code put} puts every other entry, {@code verify} gets all entries and checks them;
 * each answers with a line of {@link Measured}. Arguments: own port, port of the first member, which entries (0 or 1), seed.
 */
public final class HazelcastMember {
    private static final int ENTRIES = 2000;
    private static final int LARGE_EVERY = 250;
    private static final int LARGE = 500_000;

    private final IMap<Integer, byte[]> map;
    private final int first;
    private final long seed;

    private HazelcastMember(HazelcastInstance member, int first, long seed) {
        this.map = member.getMap("values");
        this.first = first;
        this.seed = seed;
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        HazelcastInstance hazelcast = Hazelcast.newHazelcastInstance(config(port, arguments[1]));
        HazelcastMember member =
                new HazelcastMember(hazelcast, Integer.parseInt(arguments[2]), Long.parseLong(arguments[3]));
        Commands.print("LISTENING " + port);
        Commands.serve(Map.of(
                "members",
                () -> "MEMBERS " + hazelcast.getCluster().getMembers().size(),
                "put",
                member::put,
                "verify",
                member::verify));
    }

    private static Config config(int port, String firstPort) {
        Config config = new Config();
        config.setProperty("hazelcast.logging.type", "none");
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.socket.bind.any", "false");
        // Connections move from thread to thread more often than usual.
        config.setProperty("hazelcast.io.balancer.interval.seconds", "1");
        NetworkConfig network = config.getNetworkConfig();
        network.setPort(port).setPortAutoIncrement(false);
        network.getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        JoinConfig join = network.getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        join.getTcpIpConfig().setEnabled(true).addMember("127.0.0.1:" + firstPort);
        return config;
    }

    private String put() throws InterruptedException {
        Measured measured = new Measured();
        for (int i = first; i < ENTRIES; i += 2) {
            byte[] value = Patterns.array(seed + i, length(i));
            measured.begin();
            map.put(i, value);
            measured.end();
        }
        return measured.toLine();
    }

    private String verify() throws InterruptedException {
        Measured measured = new Measured();
        for (int i = 0; i < ENTRIES; i++) {
            measured.begin();
            byte[] value = map.get(i);
            measured.end();
            Patterns.verify(value, seed + i, length(i));
        }
        return measured.toLine();
    }

    private static int length(int number) {
        return number % LARGE_EVERY < 2 ? LARGE : 20 + number % 2000;
    }

    /** The times of operations, in nanoseconds. */
    private static final class Measured {
        private final Pauses pauses = new Pauses();
        private int operations;
        private long start;
        private long all;
        private long longest;

        void begin() {
            start = System.nanoTime();
        }

        void end() {
            long time = System.nanoTime() - start;
            operations++;
            all += time;
            longest = Math.max(longest, time);
        }

        /** Number of operations, then in milliseconds: all, the longest, and how long the process stood still at most. */
        String toLine() throws InterruptedException {
            return "MEASURED " + operations + " " + millis(all) + " " + millis(longest) + " " + millis(pauses.end());
        }

        private static long millis(long nanos) {
            return TimeUnit.NANOSECONDS.toMillis(nanos);
        }
    }

    /** Notices when the process gets no processor time. */
    private static final class Pauses {
        private static final long NAP_MILLIS = 5;

        private final Thread napper = Threads.daemon("pauses", this::nap);
        private volatile boolean ended;
        private long longest;

        private void nap() {
            try {
                while (!ended) {
                    long start = System.nanoTime();
                    Thread.sleep(NAP_MILLIS);
                    longest = Math.max(longest, System.nanoTime() - start);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        long end() throws InterruptedException {
            ended = true;
            napper.join();
            return longest;
        }
    }
}
