package org.ucxnio.bench.zookeeper;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.AsyncCallback.DataCallback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooKeeper;

/** Calls whose answers come later, with a bounded number under way. */
final class PipelinedCalls {
    private static final String WRITTEN = "/bench/multi-1";
    private static final int ANY_VERSION = -1;
    private static final int ANSWER_TIMEOUT_SECONDS = 30;

    private final ZooKeeper client;
    private final int window;
    private final Semaphore free;
    private final byte[] data = new byte[128];
    private final DataCallback onData = (code, path, context, bytes, stat) -> answered(code);
    private final StatCallback onStat = (code, path, context, stat) -> answered(code);
    private volatile Code failure = Code.OK;

    PipelinedCalls(Session session, int window) {
        client = session.client();
        this.window = window;
        free = new Semaphore(window);
    }

    void getData() throws KeeperException, InterruptedException, TimeoutException {
        take(1);
        client.getData(SyncCalls.DATA, false, onData, null);
    }

    void setData() throws KeeperException, InterruptedException, TimeoutException {
        take(1);
        client.setData(WRITTEN, data, ANY_VERSION, onStat, null);
    }

    /** Waits until nothing is under way. */
    void drain() throws KeeperException, InterruptedException, TimeoutException {
        take(window);
        free.release(window);
    }

    private void take(int count) throws KeeperException, InterruptedException, TimeoutException {
        if (!free.tryAcquire(count, ANSWER_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException("no answer from the server for " + ANSWER_TIMEOUT_SECONDS + " s");
        }
        if (failure != Code.OK) {
            throw KeeperException.create(failure);
        }
    }

    private void answered(int code) {
        if (code != Code.OK.intValue()) {
            failure = Code.get(code);
        }
        free.release();
    }
}
