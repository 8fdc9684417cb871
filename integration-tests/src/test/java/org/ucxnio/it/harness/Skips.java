package org.ucxnio.it.harness;

import org.opentest4j.TestAbortedException;

/** Tests that cannot run everywhere say why they do not. */
public final class Skips {
    private Skips() {}

    /**
     * Skips the test and prints why.
     *
     * @param <T> what the caller would return
     * @return never
     */
    public static <T> T skip(String reason) {
        System.err.println("Skipped: " + reason);
        throw new TestAbortedException(reason);
    }
}
