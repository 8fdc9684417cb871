package org.ucxnio.bench.programs.bookkeeper;

import java.nio.file.Path;
import java.util.Arrays;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.common.component.LifecycleComponent;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.server.Main;
import org.apache.bookkeeper.server.conf.BookieConfiguration;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.programs.coordination.ZooKeeperServer;

/** The bookies of this host and their metadata service, and what servers and clients of them are made with. */
final class Ensemble {
    private static final float ALMOST_FULL = 0.998f;
    private static final float FULL = 0.999f;
    private static final int SMALL_TABLE_BYTES = 8 << 20;

    private final int[] ports;
    private final int metadataPort;

    /** Reads the {@code ports} of all processes. The last one, the client, listens nowhere: its port is that of the metadata service. */
    Ensemble(Settings settings) {
        int[] all = settings.integers("ports");
        ports = Arrays.copyOf(all, all.length - 1);
        metadataPort = all[all.length - 1];
    }

    /** Number of bookies, each of which has a copy of every entry. */
    int size() {
        return ports.length;
    }

    /** Starts the metadata service in this process, and makes it ready for new bookies. */
    ZooKeeperServer startMetadata(Path directory) throws Exception {
        ZooKeeperServer server = new ZooKeeperServer(metadataPort, directory, false);
        ServerConfiguration configuration = new ServerConfiguration();
        configuration.setMetadataServiceUri(metadataUri());
        if (!BookKeeperAdmin.initNewCluster(configuration)) {
            throw new IllegalStateException("the metadata service cannot be made ready");
        }
        return server;
    }

    /** Bookie {@code number}, put together as BookKeeper's own main class does, with its files in {@code directory}; to be started. */
    LifecycleComponent newBookie(int number, Path directory) throws Exception {
        return Main.buildBookieServer(new BookieConfiguration(bookieConfiguration(ports[number], directory)));
    }

    private ServerConfiguration bookieConfiguration(int port, Path directory) {
        ServerConfiguration configuration = new ServerConfiguration()
                .setBookiePort(port)
                .setAdvertisedAddress("127.0.0.1")
                .setAllowLoopback(true)
                .setJournalDirName(directory.resolve("journal").toString())
                .setLedgerDirNames(new String[] {directory.resolve("ledgers").toString()})
                .setHttpServerEnabled(false)
                .setJournalSyncData(false)
                // What is not synced has nothing to gain from waiting for more.
                .setJournalFlushWhenQueueEmpty(true)
                // Java does not let it reach the descriptors of files, which it needs for that.
                .setJournalRemovePagesFromCache(false)
                .setDiskUsageThreshold(FULL)
                .setDiskUsageWarnThreshold(ALMOST_FULL)
                // A heap that is small.
                .setSkipListSizeLimit(SMALL_TABLE_BYTES);
        configuration.setMetadataServiceUri(metadataUri());
        return configuration;
    }

    /** A client, which has one connection with each bookie. */
    BookKeeper newClient() throws Exception {
        ClientConfiguration configuration = new ClientConfiguration();
        configuration.setMetadataServiceUri(metadataUri());
        return BookKeeper.newBuilder(configuration).build();
    }

    private String metadataUri() {
        return "zk+hierarchical://127.0.0.1:" + metadataPort + "/ledgers";
    }
}
