package org.ucxnio.bench.programs.coordination;

import java.nio.file.Path;
import java.util.Properties;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/** A standalone server, started as ZooKeeper starts one within a program. It does not wait for its disk. */
public final class ZooKeeperServer {
    private static final String FACTORY = "zookeeper.serverCnxnFactory";

    private final ZooKeeperServerEmbedded server;
    private final int port;

    /**
     * @param port the port it listens on
     * @param directory where it keeps its files; nobody else's
     * @param netty whether its connections are Netty's, and not those of its own NIO code
     */
    public ZooKeeperServer(int port, Path directory, boolean netty) throws Exception {
        this.port = port;
        String kind = netty ? "Netty" : "NIO";
        System.setProperty(FACTORY, "org.apache.zookeeper.server." + kind + "ServerCnxnFactory");
        Properties configuration = new Properties();
        configuration.setProperty("tickTime", "2000");
        configuration.setProperty("clientPort", Integer.toString(port));
        configuration.setProperty("clientPortAddress", "127.0.0.1");
        configuration.setProperty("maxClientCnxns", "0");
        configuration.setProperty("admin.enableServer", "false");
        configuration.setProperty("forceSync", "no");
        server = ZooKeeperServerEmbedded.builder()
                .baseDir(directory)
                .configuration(configuration)
                .exitHandler(ExitHandler.LOG_ONLY)
                .build();
        server.start();
    }

    public int port() {
        return port;
    }

    public void end() {
        server.close();
    }
}
