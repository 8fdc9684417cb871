package org.ucxnio.link;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.ucxnio.ring.Waits;

/**
 * The reading end of what carries a stream. The <em>owner</em> is the holder of the channel's read lock; methods are its, unless they
 * say that they are for any thread.
 */
public interface Source {

    /** From which byte of the stream on the peer writes here; -1 while it does not. Any thread. */
    long switchedAt();

    /** Takes in what the peer has sent by now. Any thread. */
    void catchUp();

    /**
     * The channel is about to be closed: a switch that the peer does not know to be known by now never will be. Any thread.
     *
     * @return whether the peer has switched, and tells of it by a token
     */
    boolean refuseSwitch();

    /** The stream goes on here: everything before was read. Once; any thread. */
    void enter();

    /** Whether urgent bytes are read like others. Any thread. */
    void urgentInline(boolean inline);

    /**
     * Reads what is there.
     *
     * @return bytes read, 0 where there are none now, -1 at the end of the stream
     * @throws SocketException where the peer has broken the stream off
     */
    long read(ByteBuffer[] targets, int offset, int length) throws IOException;

    /** As {@link #read}, into one buffer and by the shortest way; 0 also where only the long one can say what is next. */
    default int readAtOnce(ByteBuffer target) throws IOException {
        return 0;
    }

    /** Whether a read would find bytes or the end of the stream. Any thread: a racy look. */
    boolean isReadable();

    /** Whether the end of the stream is next. Any thread: a racy look. */
    boolean isAtEnd();

    /** Whether only the owner can say what is there, behind {@link #update}. Any thread. */
    boolean isStale();

    /** Whether all was read, and the stream goes on over TCP, behind the peer's last token. Any thread. */
    default boolean isBack() {
        return false;
    }

    /** Whether a stream that {@link #isBack} has ended there, with nothing over TCP. */
    default boolean isEndedBack() {
        return false;
    }

    /** The stream, which {@link #isBack}, is read from TCP from now on. The last call. */
    default void goneBack() {}

    /** Makes the looks of other threads right again. */
    void update() throws IOException;

    /** Whether there may be anything, also what is not for the application: for a thread that spins. Any thread. */
    boolean hasSomething();

    /** Bytes that can be read at once. */
    int available();

    /** Whether it tells the connection when it becomes ready; otherwise somebody has to look, or to arm it. */
    boolean announces();

    /** Whether the session that it belongs to goes on. */
    boolean isSessionAlive();

    /** The peer's socket has ended: whether nothing more will come. */
    boolean isOver();

    /** Where nothing more comes and the stream has no end: whether it was all, as the peer's process has ended in order. */
    default boolean hasExited() {
        return false;
    }

    /** Whether a thread can sleep here, and the peer wake it. */
    boolean canSleep(boolean virtualThread);

    /**
     * Says that a thread is about to sleep, and how it wants to be woken. To be followed by a look whether it has to; then {@link #sleep} or
     * a sleep in the kernel, then {@link #disarm}.
     *
     * @param how one of {@link Waits}
     * @return whether there is nothing now
     */
    boolean arm(int how);

    /** As {@link #arm(int)} for a selector, which is woken by its bell, or else by a token. */
    default boolean arm(Bell bell) {
        return arm(Waits.TOKEN);
    }

    /** Sleeps as announced. */
    void sleep(long nanos);

    void disarm();

    /** Wakes a thread that sleeps here: it has to look at something else. Any thread; not behind {@link #leave}. */
    void wake();

    /** Whether bytes would be lost if nobody read any more. Any thread: a racy look. */
    boolean hasUnread();

    /**
     * Nobody reads any more.
     *
     * @param abort whether the writer has to hear of it as of a reset, whatever was read
     */
    void leave(boolean abort);
}
