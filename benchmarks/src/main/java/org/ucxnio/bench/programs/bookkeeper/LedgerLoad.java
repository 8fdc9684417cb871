package org.ucxnio.bench.programs.bookkeeper;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.bookkeeper.client.api.BookKeeper;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.child.Expectation;
import org.ucxnio.bench.child.Reporter;
import org.ucxnio.bench.child.Settings;
import org.ucxnio.bench.measure.ThreadedLoad;

/** Threads that share a ledger: each writes or reads one entry at a time, so that as many are under way as there are threads. */
// A ledger's close() may throw InterruptedException.
@SuppressWarnings("try")
final class LedgerLoad {
    private static final int ACKNOWLEDGEMENTS = 2;
    private static final byte[] PASSWORD = {1, 2, 3};

    /** Entries that are under way at once where nothing is measured. */
    private static final int BATCH = 100;

    private final Settings settings;
    private final Reporter reporter;
    private final Ensemble ensemble;
    private final int size;
    private final int threads;

    LedgerLoad(Settings settings, Reporter reporter) {
        this.settings = settings;
        this.reporter = reporter;
        ensemble = new Ensemble(settings);
        size = settings.integer("size");
        threads = settings.integer("threads");
    }

    /** Measures and reports. */
    void measure() throws Exception {
        String operation = settings.text("operation");
        try (BookKeeper client = ensemble.newClient()) {
            switch (operation) {
                case "write" -> measureWrites(client);
                case "read" -> measureReads(client);
                default ->
                    throw new IllegalArgumentException("no operation " + operation + "; there are write and read");
            }
        }
    }

    private void measureWrites(BookKeeper client) throws Exception {
        AtomicInteger written = new AtomicInteger();
        long id;
        try (WriteHandle ledger = create(client)) {
            id = ledger.getId();
            ThreadedLoad load = new ThreadedLoad(settings, reporter);
            for (int i = 0; i < threads; i++) {
                load.add(() -> {
                    byte[] entry = Entry.of(written.getAndIncrement(), size);
                    long start = System.nanoTime();
                    ledger.append(entry);
                    return start;
                });
            }
            measure(load);
        }
        reporter.progress("reading the entries back");
        try (ReadHandle ledger = open(client, id)) {
            readBack(ledger, written.get());
        }
    }

    private void measureReads(BookKeeper client) throws Exception {
        int entries = settings.integer("entries");
        reporter.progress("writing the entries");
        try (ReadHandle ledger = open(client, write(client, entries))) {
            ThreadedLoad load = new ThreadedLoad(settings, reporter);
            for (int i = 0; i < threads; i++) {
                SplittableRandom random = new SplittableRandom(i);
                load.add(() -> {
                    int number = random.nextInt(entries);
                    long start = System.nanoTime();
                    try (LedgerEntries found = ledger.read(number, number)) {
                        checkNumber(Entry.check(found.getEntry(number).getEntryBytes(), size), number);
                    }
                    return start;
                });
            }
            measure(load);
        }
    }

    private void measure(ThreadedLoad load) throws InterruptedException {
        load.measure(ensemble.size());
        Acceleration.check(reporter, Expectation.of(settings.text("expect")), ensemble.size());
    }

    /** Writes so many entries; returns the ledger. */
    private long write(BookKeeper client, int entries) throws Exception {
        try (WriteHandle ledger = create(client)) {
            for (int first = 0; first < entries; first += BATCH) {
                List<CompletableFuture<Long>> batch = new ArrayList<>();
                for (int number = first; number < Math.min(first + BATCH, entries); number++) {
                    batch.add(ledger.appendAsync(Entry.of(number, size)));
                }
                for (CompletableFuture<Long> each : batch) {
                    each.get();
                }
            }
            return ledger.getId();
        }
    }

    /** Checks that all entries are there, each once and with all of its bytes. Threads wrote them in any order. */
    private void readBack(ReadHandle ledger, int entries) throws Exception {
        checkNumber(ledger.getLastAddConfirmed(), entries - 1);
        BitSet numbers = new BitSet(entries);
        for (int first = 0; first < entries; first += BATCH) {
            try (LedgerEntries batch = ledger.read(first, Math.min(first + BATCH, entries) - 1)) {
                for (LedgerEntry each : batch) {
                    numbers.set(Math.toIntExact(Entry.check(each.getEntryBytes(), size)));
                }
            }
        }
        checkNumber(numbers.nextClearBit(0), entries);
    }

    private WriteHandle create(BookKeeper client) throws Exception {
        return client.newCreateLedgerOp()
                .withEnsembleSize(ensemble.size())
                .withWriteQuorumSize(ensemble.size())
                .withAckQuorumSize(ACKNOWLEDGEMENTS)
                .withDigestType(DigestType.CRC32C)
                .withPassword(PASSWORD)
                .execute()
                .get();
    }

    private static ReadHandle open(BookKeeper client, long id) throws Exception {
        return client.newOpenLedgerOp()
                .withLedgerId(id)
                .withDigestType(DigestType.CRC32C)
                .withPassword(PASSWORD)
                .execute()
                .get();
    }

    private static void checkNumber(long found, long expected) {
        if (found != expected) {
            throw new IllegalStateException("not the entries that were written: " + found + " instead of " + expected);
        }
    }
}
