package org.ucxnio.it.programs;

import java.util.Map;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.ucxnio.it.harness.Threads;

/** ZooKeeper's own main class in a process that can also be asked about traffic. Arguments: port, data directory. */
public final class ZooKeeperServer {
    private ZooKeeperServer() {}

    public static void main(String[] arguments) throws Exception {
        start(arguments[0], arguments[1], () -> Commands.print("LISTENING " + arguments[0]));
        Commands.serve(Map.of());
    }

    /** Starts a server in this process; tells when it serves. */
    static void start(String port, String directory, Runnable onServing) {
        ZooKeeperSettings.apply();
        ServerConfig config = new ServerConfig();
        config.parse(new String[] {port, directory, "2000", "100"});
        Main main = new Main(onServing);
        Threads.daemon("zookeeper", () -> {
            try {
                main.runFromConfig(config);
            } catch (Exception e) {
                Commands.print("SERVER FAILED " + e);
                e.printStackTrace();
            }
        });
    }

    private static final class Main extends ZooKeeperServerMain {
        private final Runnable onServing;

        Main(Runnable onServing) {
            this.onServing = onServing;
        }

        @Override
        protected void serverStarted() {
            onServing.run();
        }
    }
}
