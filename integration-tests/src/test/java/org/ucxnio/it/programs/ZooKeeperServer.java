package org.ucxnio.it.programs;

import java.util.Map;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.ucxnio.it.harness.Threads;

/** ZooKeeper's own main class in a process that can also be asked about traffic. Arguments: port, data directory. */
public final class ZooKeeperServer {
    private ZooKeeperServer() {}

    public static void main(String[] arguments) throws Exception {
        System.setProperty("zookeeper.admin.enableServer", "false");
        // A disk that others keep busy takes longer to confirm a write than a session lasts.
        System.setProperty("zookeeper.forceSync", "no");
        System.setProperty("zookeeper.serverCnxnFactory", "org.apache.zookeeper.server.NIOServerCnxnFactory");
        ServerConfig config = new ServerConfig();
        config.parse(new String[] {arguments[0], arguments[1], "2000", "100"});
        Main main = new Main();
        Threads.daemon("zookeeper", () -> {
            try {
                main.runFromConfig(config);
            } catch (Exception e) {
                Commands.print("SERVER FAILED " + e);
                e.printStackTrace();
            }
        });
        Commands.serve(Map.of());
    }

    private static final class Main extends ZooKeeperServerMain {
        @Override
        protected void serverStarted() {
            Commands.print("LISTENING " + getClientPort());
        }
    }
}
