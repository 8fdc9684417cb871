package org.ucxnio.it.programs;

/** What ZooKeeper's servers read from system properties. */
final class ZooKeeperSettings {
    /** Names the class that serves connections: ZooKeeper's own NIO, or Netty. */
    static final String CONNECTION_FACTORY = "zookeeper.serverCnxnFactory";

    private ZooKeeperSettings() {}

    static void apply() {
        System.setProperty("zookeeper.admin.enableServer", "false");
        // A disk that others keep busy takes longer to confirm a write than a session lasts.
        System.setProperty("zookeeper.forceSync", "no");
        if (System.getProperty(CONNECTION_FACTORY) == null) {
            System.setProperty(CONNECTION_FACTORY, "org.apache.zookeeper.server.NIOServerCnxnFactory");
        }
    }
}
