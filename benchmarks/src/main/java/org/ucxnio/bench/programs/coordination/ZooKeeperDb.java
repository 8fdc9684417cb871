package org.ucxnio.bench.programs.coordination;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.ucxnio.bench.programs.keyvalue.Fields;
import org.ucxnio.bench.programs.ycsb.RecordDb;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * YCSB's records in nodes of ZooKeeper: one for each thread, with a session of its own. An update writes the whole node, so the
 * workload has to write all fields.
 */
public final class ZooKeeperDb extends RecordDb {
    private static final int SESSION_TIMEOUT_MILLIS = 20_000;
    private static final int ANY_VERSION = -1;
    // Not List.of: ZooKeeper asks the list whether it contains null.
    private static final List<ACL> ANYONE = Collections.singletonList(new ACL(Perms.ALL, new Id("world", "anyone")));

    private final String address;
    private final ZKClientConfig configuration = new ZKClientConfig();
    private ZooKeeper client;

    /**
     * @param port the server's port on this host
     * @param netty whether its connection is Netty's, and not that of ZooKeeper's own NIO code
     */
    public ZooKeeperDb(int port, boolean netty) {
        address = "127.0.0.1:" + port;
        if (netty) {
            configuration.setProperty(
                    ZKClientConfig.ZOOKEEPER_CLIENT_CNXN_SOCKET, "org.apache.zookeeper.ClientCnxnSocketNetty");
        }
    }

    @Override
    public void init() throws DBException {
        CountDownLatch connected = new CountDownLatch(1);
        try {
            client = new ZooKeeper(
                    address,
                    SESSION_TIMEOUT_MILLIS,
                    event -> {
                        if (event.getState() == KeeperState.SyncConnected) {
                            connected.countDown();
                        }
                    },
                    configuration);
            if (!connected.await(SESSION_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new DBException("no session with " + address);
            }
        } catch (IOException | InterruptedException e) {
            throw new DBException(e);
        }
    }

    @Override
    public void cleanup() throws DBException {
        try {
            client.close();
        } catch (InterruptedException e) {
            throw new DBException(e);
        }
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return status(() -> {
            byte[] data = client.getData(path(key), false, null);
            Map<String, byte[]> all = Fields.decode(new DataInputStream(new ByteArrayInputStream(data)));
            all.forEach((name, value) -> {
                if (fields == null || fields.contains(name)) {
                    result.put(name, new ByteArrayByteIterator(value));
                }
            });
        });
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return status(() -> client.create(path(key), encode(values), ANYONE, CreateMode.PERSISTENT));
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return status(() -> client.setData(path(key), encode(values), ANY_VERSION));
    }

    private static String path(String key) {
        return "/" + key;
    }

    private static byte[] encode(Map<String, ByteIterator> values) {
        Map<String, byte[]> fields = new HashMap<>();
        values.forEach((name, value) -> fields.put(name, value.toArray()));
        return Fields.encode(fields);
    }

    /** One call to the server. */
    @FunctionalInterface
    private interface Call {
        void run() throws KeeperException, InterruptedException, IOException;
    }

    private static Status status(Call call) {
        try {
            call.run();
            return Status.OK;
        } catch (KeeperException.NoNodeException e) {
            return Status.NOT_FOUND;
        } catch (KeeperException | IOException e) {
            return new Status("ERROR", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Status("INTERRUPTED", e.toString());
        }
    }
}
