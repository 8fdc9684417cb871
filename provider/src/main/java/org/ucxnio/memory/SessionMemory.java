package org.ucxnio.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntConsumer;
import org.ucxnio.ring.Block;
import org.ucxnio.ring.RingMemory;

/**
 * The memory of the rings between this process and one peer. Thread-safe. Its two locks are leaves: whoever holds one calls nothing
 * but the file system and the one who is told of slabs; one may hold any other lock and call this. None of them is held on the path of a byte.
 *
 * <p>A slab is a file that its writer makes and both map. The reader deletes its name once it has mapped it, at the word of the
 * session or when a record names a block of it, whichever is first; the writer deletes what names are left when the session ends.
 *
 * <p>When the session ends the budget is given back at once. The memory goes when the last buffer of it was collected.
 */
public final class SessionMemory implements RingMemory {
    // -- guarded by ownLock --

    private final ReentrantLock ownLock = new ReentrantLock();
    private final OwnSlabs own;

    // -- guarded by peerLock --

    private final ReentrantLock peerLock = new ReentrantLock();
    private final PeerSlabs peer;

    // -- end --

    /** Falls once, under ownLock; before the end of {@link OwnSlabs}, so that no slab is made behind it. */
    private volatile boolean alive = true;

    /**
     * @param token of this process
     * @param peerToken of the peer's process, which may be this one
     * @param made is told the number of each slab that was made, for the peer; must not wait, and not call this
     */
    public SessionMemory(SlabFiles files, byte[] token, byte[] peerToken, MemoryBudget budget, IntConsumer made) {
        own = new OwnSlabs(files, token, budget, made);
        peer = new PeerSlabs(files, peerToken, budget);
    }

    /** {@inheritDoc} Null also once the session is over. */
    @Override
    public Block allocate(int bytes) throws IOException {
        ownLock.lock();
        try {
            return alive ? own.allocate(bytes) : null;
        } catch (OutOfMemoryError e) {
            // The one who asks has something under way, and goes on without.
            return null;
        } finally {
            ownLock.unlock();
        }
    }

    @Override
    public void retire(Block block) {
        ownLock.lock();
        try {
            if (alive) {
                own.retire(block);
            }
        } finally {
            ownLock.unlock();
        }
    }

    @Override
    public void free(Block block) {
        ownLock.lock();
        try {
            if (alive) {
                own.free(block);
            }
        } finally {
            ownLock.unlock();
        }
    }

    /** {@inheritDoc} Works after the session as well: what a peer wrote before it died can be read. */
    @Override
    public ByteBuffer peerBlock(int slab, int offset, int bytes) throws IOException {
        peerLock.lock();
        try {
            return peer.block(slab, offset, bytes);
        } finally {
            peerLock.unlock();
        }
    }

    /** Maps a slab that the peer told of, before a record names it. */
    public void mapPeerSlab(int slab) throws IOException {
        peerLock.lock();
        try {
            peer.slab(slab);
        } finally {
            peerLock.unlock();
        }
    }

    @Override
    public boolean isAlive() {
        return alive;
    }

    /** The session is over. */
    public void end() {
        ownLock.lock();
        try {
            if (!alive) {
                return;
            }
            alive = false;
            own.end();
        } finally {
            ownLock.unlock();
        }
        peerLock.lock();
        try {
            peer.end();
        } finally {
            peerLock.unlock();
        }
    }
}
