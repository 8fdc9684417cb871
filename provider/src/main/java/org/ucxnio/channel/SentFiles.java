package org.ucxnio.channel;

import java.util.concurrent.TimeUnit;

/**
 * How much of what a connection sends is files that the kernel can copy. Where that is most of it the connection stays with TCP, and goes back there from
 * rings, where a file is copied three times, with calls for each 8 KiB. Owned by the holder of the channel's write lock.
 */
final class SentFiles {
    /** A transfer of so much, or more, is worth a way back. */
    private static final int MUCH_BYTES = 64 << 10;

    /** So many of them in such a time are much of what goes over a connection, whatever else does. */
    static final int MANY = 16;

    static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final String REASON = "files are sent over it, which the kernel copies";

    /** Those of a connection that has sent none. Never changes. */
    static final SentFiles NONE = new SentFiles(false);

    private final boolean onThisHost;

    private long bytes;

    // -- while a link has the stream --
    private int linked;
    private long linkedSinceNanos;
    // -- end --

    /** The stream has gone back for them. Read by any thread. */
    private volatile boolean broughtBack;

    /** Most of what this end has to do is such files. Read by any thread. */
    private volatile boolean most;

    SentFiles(boolean onThisHost) {
        this.onThisHost = onThisHost;
    }

    /** A transfer is to begin whose stream is on a link. Returns whether there have been so many that it had better go back to the kernel. */
    boolean areMany(long count) {
        if (count < MUCH_BYTES) {
            return false;
        }
        long now = System.nanoTime();
        if (linked == 0 || now - linkedSinceNanos > SOON_NANOS) {
            linked = 0;
            linkedSinceNanos = now;
        }
        linked++;
        return linked >= MANY;
    }

    /** The stream is to go back for them. */
    void bringBack() {
        linked = 0;
        broughtBack = true;
    }

    /**
     * The kernel has copied some bytes.
     *
     * @param calls that have given bytes to the kernel, this one among them
     * @return why the connection stays plain, where it does from now on; null otherwise
     */
    String copied(long count, long calls) {
        bytes += count;
        boolean now = bytes >= MovePolicy.BULK_BYTES * calls;
        boolean changes = now != most;
        most = now;
        return changes ? reluctance() : null;
    }

    /** As {@link org.ucxnio.session.Movable#reluctance}. */
    String reluctance() {
        return most && onThisHost ? REASON : null;
    }

    /**
     * Why a connection has gone back to TCP, if it has. Any thread.
     *
     * @param own whether this end's stream has
     */
    String whyBack(boolean own) {
        if (!own) {
            return "the peer went back to TCP";
        }
        return broughtBack ? REASON : "went back to TCP: no room for its rings";
    }
}
