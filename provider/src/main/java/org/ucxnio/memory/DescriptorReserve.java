package org.ucxnio.memory;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One descriptor of the process, kept for the moment when there is no other: bytes that wait in a slab of the peer's can be read only
 * once it is mapped. Thread-safe.
 */
class DescriptorReserve {
    /** A call that needs one descriptor, and lets go of it before it returns. */
    interface Call {
        ByteBuffer run() throws IOException;
    }

    /** Calls at most, where another thread takes the descriptor as it is let go of for one. It has no use for it for long, as a rule. */
    private static final int TRIES = 20;

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private Closeable kept;

    /** Takes one, if it is not there; a process that has none left goes without. */
    synchronized void keep() {
        if (kept == null) {
            try {
                kept = open();
            } catch (IOException e) {
                kept = null;
            }
        }
    }

    Closeable open() throws IOException {
        return new FileInputStream("/dev/null");
    }

    /** Makes the call; where it fails, again with the descriptor that was kept, for 20 ms at most. */
    ByteBuffer with(Call call) throws IOException {
        try {
            return call.run();
        } catch (IOException e) {
            return again(call, e);
        }
    }

    private synchronized ByteBuffer again(Call call, IOException failure) throws IOException {
        IOException last = failure;
        // Where there is one behind a call as well, it has not failed for want of one; once that may be chance.
        int spare = kept == null ? 2 : 0;
        for (int tries = 0; tries < TRIES && spare < 2; tries++) {
            letGo();
            try {
                return call.run();
            } catch (IOException e) {
                last = e;
            } finally {
                keep();
            }
            if (kept != null) {
                spare++;
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        throw last;
    }

    private void letGo() throws IOException {
        if (kept != null) {
            kept.close();
            kept = null;
        }
    }
}
