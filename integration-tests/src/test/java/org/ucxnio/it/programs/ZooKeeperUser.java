package org.ucxnio.it.programs;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/**
 * Makes nodes and changes them, in a session for each member of a quorum, until it is told to {@code stop}. {@code progress} answers how many nodes there
 * are, of which both was acknowledged, and {@code verify} reads all of them back. Arguments: ports of the quorum, seed, which also names
 * the nodes.
 */
public final class ZooKeeperUser {
    private static final int SESSION_MILLIS = 10_000;
    private static final int LENGTH = 1500;
    private static final long PAUSE_MILLIS = 20;
    private static final long PATIENCE_SECONDS = 25;

    private final ZooKeeper session;
    private final String root;
    private final long seed;
    private final AtomicInteger nodes = new AtomicInteger();

    private ZooKeeperUser(ZooKeeper session, String root, long seed) {
        this.session = session;
        this.root = root;
        this.seed = seed;
    }

    /** A call that may end with the connection; what became of it then is not known. */
    @FunctionalInterface
    private interface Call {
        void run() throws KeeperException, InterruptedException;
    }

    public static void main(String[] arguments) throws Exception {
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[1]));
        List<InetSocketAddress> servers = new ArrayList<>();
        for (String port : arguments[0].split(",")) {
            servers.add(new InetSocketAddress("127.0.0.1", Integer.parseInt(port)));
        }
        Workers workers = new Workers();
        List<ZooKeeperUser> users = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            // The text names no root; who is asked for servers knows them.
            ZooKeeper session = new ZooKeeper(
                    "127.0.0.1", SESSION_MILLIS, event -> {}, false, new ZooKeeperServersInTurn(servers, i));
            ZooKeeperUser user = new ZooKeeperUser(session, "/" + arguments[1] + "-" + i, random.nextLong());
            repeat(() -> user.create(user.root, new byte[0]));
            users.add(user);
            workers.start("session-" + i, user::write);
        }
        Commands.print("STARTED");
        Commands.serve(Map.of(
                "progress",
                () -> {
                    workers.check();
                    return "PROGRESS " + total(users);
                },
                "verify",
                () -> {
                    workers.stop();
                    for (ZooKeeperUser user : users) {
                        user.verify();
                    }
                    return "VERIFIED " + total(users);
                }));
    }

    private static int total(List<ZooKeeperUser> users) {
        return users.stream().mapToInt(user -> user.nodes.get()).sum();
    }

    private void write() throws KeeperException, InterruptedException {
        int number = nodes.get();
        repeat(() -> create(path(number), Patterns.array(-1, LENGTH)));
        repeat(() -> change(path(number), Patterns.array(seed + number, LENGTH)));
        nodes.incrementAndGet();
    }

    /** Repeats a call whose connection has ended. Each does no harm where it was done before. */
    private static void repeat(Call call) throws KeeperException, InterruptedException {
        while (true) {
            try {
                call.run();
                return;
            } catch (KeeperException.ConnectionLossException e) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
        }
    }

    private void create(String path, byte[] data) throws KeeperException, InterruptedException {
        try {
            session.create(path, data, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } catch (KeeperException.NodeExistsException e) {
            // Nobody else makes it: it was made before, and the answer was lost.
            return;
        }
    }

    private void change(String path, byte[] data) throws KeeperException, InterruptedException {
        session.setData(path, data, -1);
    }

    private void verify() throws Exception {
        CompletableFuture<Integer> synced = new CompletableFuture<>();
        session.sync(root, (result, path, context) -> synced.complete(result), null);
        int result = synced.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (result != KeeperException.Code.OK.intValue()) {
            throw new IllegalStateException("Wrong: sync gave " + result);
        }
        for (int number = 0; number < nodes.get(); number++) {
            Patterns.verify(session.getData(path(number), false, null), seed + number, LENGTH);
        }
    }

    private String path(int number) {
        return root + "/n" + number;
    }
}
