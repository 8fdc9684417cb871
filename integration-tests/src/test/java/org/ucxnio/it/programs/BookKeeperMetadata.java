package org.ucxnio.it.programs;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.conf.ServerConfiguration;

/** Where a BookKeeper cluster has its metadata: a ZooKeeper server, made ready for a new cluster. Arguments: port, data directory. */
public final class BookKeeperMetadata {
    private BookKeeperMetadata() {}

    public static void main(String[] arguments) throws Exception {
        CountDownLatch serving = new CountDownLatch(1);
        ZooKeeperServer.start(arguments[0], arguments[1], serving::countDown);
        serving.await();
        ServerConfiguration configuration = new ServerConfiguration();
        configuration.setMetadataServiceUri(uri(arguments[0]));
        if (!BookKeeperAdmin.initNewCluster(configuration)) {
            throw new IllegalStateException("No new cluster can be made");
        }
        Commands.print("LISTENING " + arguments[0]);
        Commands.serve(Map.of());
    }

    static String uri(String port) {
        return "zk+hierarchical://127.0.0.1:" + port + "/ledgers";
    }
}
