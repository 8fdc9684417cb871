package org.ucxnio.posix;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A way to map files. Thread-safe. */
public interface FileMemory {
    /**
     * Maps a file from its beginning, to be read and written. The memory is given back once neither the buffer nor a part of it is
     * reachable.
     *
     * @param bytes at most {@link Integer#MAX_VALUE}
     */
    ByteBuffer map(FileChannel file, long bytes) throws IOException;
}
