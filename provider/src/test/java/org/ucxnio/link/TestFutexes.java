package org.ucxnio.link;

import java.util.concurrent.CountDownLatch;
import org.ucxnio.jdk.ForeignFunctions;

/** Agreements on futexes for tests that have no session. */
public final class TestFutexes {
    private TestFutexes() {}

    /** Threads may sleep by futexes from the first wait on. */
    public static FutexAgreement reached() {
        load();
        FutexAgreement agreement = new FutexAgreement(true, number -> {});
        agreement.onNote(FutexAgreement.WAKES);
        return agreement;
    }

    /** For rings that nobody waits at. */
    public static FutexAgreement none() {
        return new FutexAgreement(false, number -> {});
    }

    static void load() {
        CountDownLatch loaded = new CountDownLatch(1);
        ForeignFunctions.load(loaded::countDown);
        try {
            loaded.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
