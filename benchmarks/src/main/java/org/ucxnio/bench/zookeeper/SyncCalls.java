package org.ucxnio.bench.zookeeper;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/** Calls that wait for their answer. Each verifies what it gets. */
final class SyncCalls {
    /** The node that is read. */
    static final String DATA = "/bench/data";

    /** The node that is written; it holds a number that counts the writes. */
    static final String COUNTED = "/bench/counted";

    private static final String ROOT = "/bench";
    private static final String FIRST_OF_MULTI = "/bench/multi-1";
    private static final String SECOND_OF_MULTI = "/bench/multi-2";
    private static final String WATCHED = "/bench/watched";
    private static final String CREATED = "/bench/created";
    // Not List.of: ZooKeeper asks the list whether it contains null.
    private static final List<ACL> ANYONE = Collections.singletonList(new ACL(Perms.ALL, new Id("world", "anyone")));
    private static final int ANY_VERSION = -1;
    private static final int DATA_SIZE = 128;
    private static final int EVENT_TIMEOUT_SECONDS = 10;

    private final ZooKeeper client;
    private final byte[] written = new byte[DATA_SIZE];
    private final SynchronousQueue<WatchedEvent> events = new SynchronousQueue<>();
    private final Watcher watcher = this::deliver;
    private int created;
    private long writes;

    SyncCalls(Session session) {
        client = session.client();
    }

    /** Creates the nodes that the calls need. */
    void prepare() throws KeeperException, InterruptedException {
        for (String path : List.of(ROOT, CREATED, DATA, COUNTED, FIRST_OF_MULTI, SECOND_OF_MULTI, WATCHED)) {
            client.create(path, new byte[DATA_SIZE], ANYONE, CreateMode.PERSISTENT);
        }
    }

    void create() throws KeeperException, InterruptedException {
        String path = CREATED + "/n" + created++;
        String answer = client.create(path, written, ANYONE, CreateMode.PERSISTENT);
        expect(path.equals(answer), "create answered " + answer);
    }

    void getData() throws KeeperException, InterruptedException {
        expect(client.getData(DATA, false, null).length == DATA_SIZE, "getData answered another length");
    }

    void setData() throws KeeperException, InterruptedException {
        ByteBuffer.wrap(written).putLong(0, ++writes);
        int version = client.setData(COUNTED, written, ANY_VERSION).getVersion();
        expect(version == writes, "setData answered version " + version + " after " + writes + " writes");
    }

    void multi() throws KeeperException, InterruptedException {
        List<OpResult> answers = client.multi(List.of(
                Op.check(DATA, ANY_VERSION),
                Op.setData(FIRST_OF_MULTI, written, ANY_VERSION),
                Op.setData(SECOND_OF_MULTI, written, ANY_VERSION)));
        expect(answers.size() == 3, "multi answered " + answers.size() + " results");
    }

    /** Sets a watch, changes the node, waits for the event. */
    void watch() throws KeeperException, InterruptedException {
        client.exists(WATCHED, watcher);
        client.setData(WATCHED, written, ANY_VERSION, (code, path, context, stat) -> {}, null);
        WatchedEvent event = events.poll(EVENT_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        expect(event != null, "no event of the watch");
        expect(event.getType() == Watcher.Event.EventType.NodeDataChanged, "the watch saw " + event);
    }

    /** Compares what the server holds at the end with what was sent. */
    void verify() throws KeeperException, InterruptedException {
        int children = client.getChildren(CREATED, false).size();
        expect(children == created, children + " nodes where " + created + " were created");
        long counted = ByteBuffer.wrap(client.getData(COUNTED, false, null)).getLong(0);
        expect(counted == writes, "the last write was " + writes + ", the server holds " + counted);
    }

    private void deliver(WatchedEvent event) {
        try {
            events.offer(event, EVENT_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
