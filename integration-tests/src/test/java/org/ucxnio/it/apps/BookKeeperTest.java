package org.ucxnio.it.apps;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.ucxnio.it.harness.Bounded;
import org.ucxnio.it.harness.ChildJvm;
import org.ucxnio.it.harness.Flavour;
import org.ucxnio.it.harness.JvmBuilder;
import org.ucxnio.it.harness.Locations;
import org.ucxnio.it.harness.Ports;
import org.ucxnio.it.harness.Seeds;
import org.ucxnio.it.programs.BookKeeperBookie;
import org.ucxnio.it.programs.BookKeeperMetadata;
import org.ucxnio.it.programs.BookKeeperUser;

/**
 * Three bookies of BookKeeper, one of which is killed, and two users at once. One bookie and one user have the JDK's provider, the others
 * ours, and each user talks to all bookies.
 */
@Bounded
class BookKeeperTest {
    private static final int BOOKIES = 3;
    private static final Members MEMBERS = Members.MIXED;

    /** Ledgers of each user before and after a bookie is killed. A ledger is some 400 KB, written twice. */
    private static final int LEDGERS = 3;

    private static final long LEAST_BYTES = 500_000;

    @TempDir
    private Path dataDirectory;

    @Test
    void shouldKeepLedgersWhenABookieDies() throws Exception {
        Seeds.withSeed(this::keepLedgers);
    }

    private void keepLedgers(long seed) throws Exception {
        try (Cluster cluster = new Cluster()) {
            int metadataPort = Ports.free();
            cluster.start(jvm(Flavour.JDK, BookKeeperMetadata.class)
                            .arguments(metadataPort, dataDirectory.resolve("metadata")))
                    .expect("LISTENING");
            List<ChildJvm> bookies = startBookies(cluster, metadataPort);
            ChildJvm accelerated = startUser(cluster, Flavour.RINGS, metadataPort, seed);
            ChildJvm plain = startUser(cluster, Flavour.JDK, metadataPort, seed + 1);
            awaitLedgers(accelerated, LEDGERS);
            awaitLedgers(plain, LEDGERS);
            cluster.kill(bookies.get(0));
            awaitLedgers(accelerated, ledgers(accelerated) + LEDGERS);
            awaitLedgers(plain, ledgers(plain) + LEDGERS);
            accelerated.ask("verify", "VERIFIED");
            plain.ask("verify", "VERIFIED");
            Carrier.UNCOUNTED.expect(plain, 0);
            Carrier.BOTH.expect(accelerated, LEAST_BYTES);
            Carrier.UNCOUNTED.expect(bookies.get(1), 0);
            Carrier.BOTH.expect(bookies.get(2), LEAST_BYTES);
            cluster.expectHealthy();
        }
    }

    private List<ChildJvm> startBookies(Cluster cluster, int metadataPort) throws IOException {
        List<ChildJvm> bookies = new ArrayList<>();
        for (int rank = 0; rank < BOOKIES; rank++) {
            bookies.add(cluster.start(jvm(MEMBERS.flavour(rank), BookKeeperBookie.class)
                    .arguments(Ports.free(), metadataPort, dataDirectory.resolve("bookie-" + rank))));
        }
        bookies.forEach(bookie -> bookie.expect("LISTENING"));
        return bookies;
    }

    private static ChildJvm startUser(Cluster cluster, Flavour flavour, int metadataPort, long seed)
            throws IOException {
        ChildJvm user = cluster.start(jvm(flavour, BookKeeperUser.class).arguments(metadataPort, seed));
        user.expect("STARTED");
        return user;
    }

    private static void awaitLedgers(ChildJvm user, int ledgers) {
        Awaitility.await().atMost(ChildJvm.PATIENCE).until(() -> ledgers(user) >= ledgers);
    }

    private static int ledgers(ChildJvm user) {
        return Integer.parseInt(user.ask("progress", "PROGRESS"));
    }

    private static JvmBuilder jvm(Flavour flavour, Class<?> program) {
        return JvmBuilder.of(flavour, program)
                .classPath(Locations.app("bookkeeper"))
                // BookKeeper takes Netty's epoll where it is, and NIO where it is not.
                .property("io.netty.transport.noNative", true);
    }
}
