package org.ucxnio.it.programs;

import java.util.Map;
import org.apache.bookkeeper.common.component.LifecycleComponent;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.server.Main;
import org.apache.bookkeeper.server.conf.BookieConfiguration;

/** A bookie, put together as BookKeeper's own main class does. Arguments: port, port of the metadata, data directory. */
public final class BookKeeperBookie {
    private BookKeeperBookie() {}

    public static void main(String[] arguments) throws Exception {
        LifecycleComponent bookie = Main.buildBookieServer(
                new BookieConfiguration(configuration(arguments[0], arguments[1], arguments[2])));
        bookie.setExceptionHandler((thread, failure) -> {
            Commands.print("SERVER FAILED " + thread.getName() + " " + failure);
            failure.printStackTrace();
        });
        bookie.start();
        Commands.print("LISTENING " + arguments[0]);
        Commands.serve(Map.of());
    }

    private static ServerConfiguration configuration(String port, String metadataPort, String directory) {
        ServerConfiguration configuration = new ServerConfiguration()
                .setBookiePort(Integer.parseInt(port))
                .setAdvertisedAddress("127.0.0.1")
                .setAllowLoopback(true)
                .setJournalDirName(directory + "/journal")
                .setLedgerDirNames(new String[] {directory + "/ledgers"})
                .setHttpServerEnabled(false)
                // Waiting for a disk that others keep busy is not what is tested.
                .setJournalSyncData(false)
                .setDiskUsageThreshold(0.999f)
                .setDiskUsageWarnThreshold(0.998f)
                // A heap that is small.
                .setSkipListSizeLimit(8 << 20)
                .setServerNumIOThreads(2)
                .setNumAddWorkerThreads(1)
                .setNumReadWorkerThreads(2);
        configuration.setMetadataServiceUri(BookKeeperMetadata.uri(metadataPort));
        return configuration;
    }
}
