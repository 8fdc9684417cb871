package org.ucxnio.bench.zookeeper;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** A connected session. */
final class Session {
    private static final int SESSION_TIMEOUT_MILLIS = 10_000;

    private final ZooKeeper client;

    private Session(ZooKeeper client) {
        this.client = client;
    }

    /** Opens a session and waits until the server has granted it. */
    static Session open(String address) throws IOException, InterruptedException {
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper client = new ZooKeeper(address, SESSION_TIMEOUT_MILLIS, event -> {
            if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
            }
        });
        if (!connected.await(SESSION_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)) {
            client.close();
            throw new IOException("no session with " + address + " after " + SESSION_TIMEOUT_MILLIS + " ms");
        }
        return new Session(client);
    }

    ZooKeeper client() {
        return client;
    }

    void close() throws InterruptedException {
        client.close();
    }
}
