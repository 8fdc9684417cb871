package org.ucxnio.channel;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The bytes of a connected channel, accelerated or plain. The channel serialises reads and writes by its locks, has checked the
 * buffers, and says whether a call may block.
 */
interface ByteStream {

    /**
     * Reads into the buffers.
     *
     * @param timeoutNanos bound on the wait of a blocking read; 0 for none
     * @return bytes read, 0, or -1 at the end of the stream
     */
    long read(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException;

    /** Writes out of the buffers; a blocking write takes everything. */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException;

    /** Behind each unlock of the channel's read or write lock: does what another thread had to leave to its holder. */
    default void settle() {}

    /** Sends a byte of urgent data. */
    void writeUrgent(byte data) throws IOException;

    /** Whether urgent data is read like other bytes, or thrown away. */
    void setUrgentInline(boolean inline) throws IOException;

    void shutdownInput() throws IOException;

    void shutdownOutput() throws IOException;

    /** Bytes that can be read without waiting. */
    int available() throws IOException;

    /**
     * Ends the stream.
     *
     * @param abort without delivering what was written, as a socket that does not linger
     * @param registered whether the channel is registered with a selector: then the JDK's first closes its output only, so that the
     *     peer sees the end of the stream even where bytes are left unread
     */
    void close(boolean abort, boolean registered) throws IOException;
}
