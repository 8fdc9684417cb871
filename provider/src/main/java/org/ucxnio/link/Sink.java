package org.ucxnio.link;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The writing end of what carries a stream. The <em>owner</em> is the holder of the channel's write lock; methods are its, unless they
 * say that they are for any thread.
 */
public interface Sink {
    /** Memory for one stream that is taken without having waited for room. */
    int EASY_BYTES = 256 << 10;

    /** The most: about what two kernels' TCP buffers take, for programs that write a lot before they read. */
    int MAX_BYTES = 4 << 20;

    /**
     * The stream goes on here, behind {@code position} bytes.
     *
     * @return whether the peer knows it now; otherwise {@link Carried#onSwitchKnown} follows
     */
    boolean switchAt(long position);

    /**
     * Writes as much as there is room for.
     *
     * @param most bytes of memory to take for it, where that is a choice; more where the buffers have more than half of that
     * @return bytes written
     * @throws SocketException where nobody will read them
     */
    long write(ByteBuffer[] sources, int offset, int length, int most) throws IOException;

    /** Writes all of a buffer by the shortest way; 0 where it does not, and {@link #write} has to tell. */
    default int writeAtOnce(ByteBuffer source) throws IOException {
        return 0;
    }

    /**
     * Writes the next part of a file, which the kernel copies to where the peer reads it.
     *
     * @param count of the file's bytes, all of which may be written
     * @param most bytes of memory to take for it, where that is a choice
     * @return bytes written; 0 where {@link #write} has to tell whether there is room, negative where this is never done
     */
    default int writeFile(FileChannel file, long position, long count, int most) throws IOException {
        return -1;
    }

    /** Writes a byte of urgent data; false where there is no room. */
    boolean writeUrgent(byte value) throws IOException;

    /**
     * Whether the last write found no room, and no more memory to be had.
     *
     * @param waited whether there was none for some time; otherwise only where so little memory is not worth a wait
     */
    default boolean isCramped(boolean waited) {
        return false;
    }

    /**
     * The stream goes on over TCP, behind this side's last token, which is sent next; then {@link #retire} follows.
     *
     * @return false where it does not, as nobody reads any more
     */
    default boolean goBack() {
        return false;
    }

    /** Between {@link #goBack} and {@link #retire}: the stream has ended before the last token could be sent. */
    default void endBack() {}

    /** Whether a write would move something, here or over TCP, or throw. Any thread. */
    boolean isWritable();

    /** As {@link #isWritable}, with the memory that is there: for a thread that spins. Any thread. */
    boolean isWritableNow();

    /** Whether it tells the connection when there is room again. */
    boolean announces();

    /** Whether a thread can sleep here, and the peer wake it. */
    boolean canSleep(boolean virtualThread);

    /** As {@link Source#arm}; returns whether there is no room now. */
    boolean arm(int how);

    void sleep(long nanos);

    void disarm();

    /** Wakes a thread that sleeps here. Any thread; not behind {@link #end}. */
    void wake();

    /**
     * The process ends in order, and may write until it is gone: the peer is to take what it finds then for all of the stream. Any thread; not
     * behind {@link #end}.
     */
    default void exits() {}

    /**
     * Ends the stream behind what was written. The last call.
     *
     * @param reset it is broken off
     * @return whether all is with the peer; otherwise {@link Carried#onDrained} follows
     */
    boolean end(boolean reset);

    /** Nothing was written, nor will be; or the stream has gone back. The last call. */
    void retire();
}
