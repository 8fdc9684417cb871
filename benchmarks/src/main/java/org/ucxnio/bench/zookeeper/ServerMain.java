package org.ucxnio.bench.zookeeper;

import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Reporter;

/**
 * Starts ZooKeeper's own main class, unchanged, after a daemon thread that ends this JVM with its launcher and prints
 * what the provider carried.
 */
public final class ServerMain {
    private ServerMain() {}

    public static void main(String[] arguments) {
        Lifeline.start(new Reporter(System.out));
        ZooKeeperServerMain.main(arguments);
    }
}
