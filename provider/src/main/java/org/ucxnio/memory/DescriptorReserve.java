package org.ucxnio.memory;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One descriptor of the process, kept for the moment when there is no other: bytes that wait in a slab of the peer's can be read only
 * once it is mapped. Thread-safe.
 */
final class DescriptorReserve {
    /** A call that needs one descriptor, and lets go of it before it returns. */
    interface Call {
        ByteBuffer run() throws IOException;
    }

    private Closeable kept;

    /** Takes one, if it is not there; a process that has none left goes without. */
    synchronized void keep() {
        if (kept == null) {
            try {
                kept = new FileInputStream("/dev/null");
            } catch (IOException e) {
                kept = null;
            }
        }
    }

    /** Makes the call; where it fails, once more with the descriptor that was kept. */
    ByteBuffer with(Call call) throws IOException {
        try {
            return call.run();
        } catch (IOException e) {
            return again(call, e);
        }
    }

    private synchronized ByteBuffer again(Call call, IOException failure) throws IOException {
        if (kept == null) {
            throw failure;
        }
        kept.close();
        kept = null;
        try {
            return call.run();
        } finally {
            keep();
        }
    }
}
