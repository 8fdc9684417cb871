package org.ucxnio.it.programs;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.ucxnio.it.harness.BytePattern;

/** Does with a ZooKeeper server what its users do, and checks every answer. Argument: port. */
// A session's close() may throw InterruptedException.
@SuppressWarnings("try")
public final class ZooKeeperClient {
    private static final int NODES = 50;
    private static final int LARGE = 900_000;

    private final String server;

    private ZooKeeperClient(String server) {
        this.server = server;
    }

    public static void main(String[] arguments) throws Exception {
        ZooKeeperClient client = new ZooKeeperClient("127.0.0.1:" + arguments[0]);
        try (ZooKeeper session = client.open()) {
            client.createAndRead(session);
            client.carryLargeData(session);
            client.watch(session);
            client.runMulti(session);
            client.loseEphemerals(session);
            Commands.print("DONE");
            Commands.serve(Map.of("carry", () -> {
                client.carryLargeData(session);
                return "CARRIED";
            }));
        }
    }

    private ZooKeeper open() throws Exception {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper session = new ZooKeeper(server, 10_000, event -> {
            if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        check(connected.await(20, TimeUnit.SECONDS), "no session");
        return session;
    }

    private void createAndRead(ZooKeeper session) throws Exception {
        session.create("/test", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        for (int i = 0; i < NODES; i++) {
            byte[] data = pattern(i, 100 + i);
            session.create("/test/n" + i, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            check(Arrays.equals(session.getData("/test/n" + i, false, null), data), "data of " + i);
            Stat stat = session.setData("/test/n" + i, pattern(-i, 50), 0);
            check(stat.getVersion() == 1, "version of " + i);
        }
        check(session.getChildren("/test", false).size() == NODES, "children");
    }

    private void carryLargeData(ZooKeeper session) throws Exception {
        byte[] data = pattern(7, LARGE);
        session.setData("/test", data, -1);
        check(Arrays.equals(session.getData("/test", false, null), data), "large data");
    }

    private void watch(ZooKeeper session) throws Exception {
        LinkedBlockingQueue<WatchedEvent> events = new LinkedBlockingQueue<>();
        try (ZooKeeper other = open()) {
            check(other.exists("/test/watched", events::add) == null, "must not exist yet");
            session.create("/test/watched", new byte[1], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            expect(events, Watcher.Event.EventType.NodeCreated);
            other.getData("/test/watched", events::add, null);
            session.setData("/test/watched", new byte[2], -1);
            expect(events, Watcher.Event.EventType.NodeDataChanged);
            other.getData("/test/watched", events::add, null);
            session.delete("/test/watched", -1);
            expect(events, Watcher.Event.EventType.NodeDeleted);
        }
    }

    private static void expect(LinkedBlockingQueue<WatchedEvent> events, Watcher.Event.EventType type)
            throws InterruptedException {
        WatchedEvent event = events.poll(20, TimeUnit.SECONDS);
        check(event != null && event.getType() == type, "event " + event + " instead of " + type);
    }

    private void runMulti(ZooKeeper session) throws Exception {
        session.multi(List.of(
                Op.create("/test/a", new byte[3], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT),
                Op.setData("/test/a", new byte[4], 0),
                Op.create("/test/b", new byte[5], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT),
                Op.delete("/test/b", 0)));
        check(session.getData("/test/a", false, null).length == 4, "result of multi");
        check(session.exists("/test/b", false) == null, "deleted by multi");
    }

    private void loseEphemerals(ZooKeeper session) throws Exception {
        CountDownLatch gone = new CountDownLatch(1);
        try (ZooKeeper other = open()) {
            other.create("/test/e", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            check(session.exists("/test/e", event -> gone.countDown()) != null, "ephemeral node");
        }
        check(gone.await(20, TimeUnit.SECONDS), "the ephemeral node stayed");
        check(session.exists("/test/e", false) == null, "the ephemeral node is still there");
    }

    private static byte[] pattern(long seed, int length) {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        new BytePattern(seed).fill(buffer);
        return buffer.array();
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("Wrong: " + what);
        }
    }
}
