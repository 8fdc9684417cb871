package org.ucxnio.it.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;

/**
 * Writes one ledger after another, each to two of the bookies, until it is told to stop; {@code verify} then reads all of them back and
 * compares checksums and bytes. {@code progress} answers how many there are. Arguments: port of the metadata, seed.
 */
// A ledger's close() may throw InterruptedException.
@SuppressWarnings("try")
public final class BookKeeperUser {
    private static final int WRITERS = 3;
    private static final int COPIES = 2;
    private static final int ENTRIES = 200;
    private static final int LONGEST = 4_000;

    private static final int READ_AT_ONCE = 100;
    private static final byte[] PASSWORD = {1, 2, 3};

    private final BookKeeper client;
    private final List<Ledger> ledgers = new ArrayList<>();

    private BookKeeperUser(BookKeeper client) {
        this.client = client;
    }

    /** What was written: its number, the seed of lengths and bytes, the checksum of all entries. */
    private record Ledger(long id, long seed, long checksum) {}

    public static void main(String[] arguments) throws Exception {
        ClientConfiguration configuration = new ClientConfiguration();
        configuration.setMetadataServiceUri(BookKeeperMetadata.uri(arguments[0]));
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[1]));
        try (BookKeeper client = BookKeeper.newBuilder(configuration).build()) {
            BookKeeperUser user = new BookKeeperUser(client);
            Workers workers = new Workers();
            for (int i = 0; i < WRITERS; i++) {
                SplittableRandom seeds = random.split();
                workers.start("writer-" + i, () -> user.write(seeds.nextLong()));
            }
            Commands.print("STARTED");
            Commands.serve(Map.of(
                    "progress",
                    () -> {
                        workers.check();
                        return "PROGRESS " + user.written().size();
                    },
                    "verify",
                    () -> {
                        workers.stop();
                        return "VERIFIED " + user.verify();
                    }));
        }
    }

    private void write(long seed) throws Exception {
        SplittableRandom lengths = new SplittableRandom(seed);
        CRC32C checksum = new CRC32C();
        long id;
        try (WriteHandle ledger = client.newCreateLedgerOp()
                .withEnsembleSize(COPIES)
                .withWriteQuorumSize(COPIES)
                .withAckQuorumSize(COPIES)
                .withDigestType(DigestType.CRC32C)
                .withPassword(PASSWORD)
                .execute()
                .get()) {
            id = ledger.getId();
            for (int entry = 0; entry < ENTRIES; entry++) {
                byte[] data = entry(seed, entry, lengths);
                checksum.update(data);
                // One at a time: of several under way while a bookie is replaced, BookKeeper 4.18 answers some never,
                // whatever the provider.
                ledger.append(data);
            }
        }
        synchronized (ledgers) {
            ledgers.add(new Ledger(id, seed, checksum.getValue()));
        }
    }

    private static byte[] entry(long seed, int number, SplittableRandom lengths) {
        return Patterns.array(seed + number, 1 + lengths.nextInt(LONGEST));
    }

    private List<Ledger> written() {
        synchronized (ledgers) {
            return List.copyOf(ledgers);
        }
    }

    private int verify() throws Exception {
        List<Ledger> all = written();
        for (Ledger ledger : all) {
            verify(ledger);
        }
        return all.size();
    }

    private void verify(Ledger written) throws Exception {
        SplittableRandom lengths = new SplittableRandom(written.seed);
        CRC32C checksum = new CRC32C();
        try (ReadHandle ledger = client.newOpenLedgerOp()
                .withLedgerId(written.id)
                .withDigestType(DigestType.CRC32C)
                .withPassword(PASSWORD)
                .execute()
                .get()) {
            check(ledger.getLastAddConfirmed() == ENTRIES - 1, ledger.getLastAddConfirmed() + " is the last entry");
            for (int first = 0; first < ENTRIES; first += READ_AT_ONCE) {
                try (LedgerEntries entries = ledger.read(first, first + READ_AT_ONCE - 1)) {
                    for (LedgerEntry entry : entries) {
                        byte[] data = entry.getEntryBytes();
                        checksum.update(data);
                        int length = 1 + lengths.nextInt(LONGEST);
                        Patterns.verify(data, written.seed + entry.getEntryId(), length);
                    }
                }
            }
        }
        check(checksum.getValue() == written.checksum, "checksum of ledger " + written.id);
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new IllegalStateException("Wrong: " + what);
        }
    }
}
