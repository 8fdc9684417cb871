package org.ucxnio.channel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.ucxnio.ring.Block;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingMemory;

/** Memory for rings within one process: every block is a slab of its own, and none is ever used again. Thread-safe. */
final class TestMemory implements RingMemory {
    private final List<ByteBuffer> blocks = new ArrayList<>();

    volatile boolean alive = true;
    volatile int maxBytes = 4 << 20;
    volatile boolean full;
    private int retired;

    @Override
    public synchronized Block allocate(int bytes) {
        if (full || bytes > maxBytes) {
            return null;
        }
        return hold(ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder()));
    }

    /** A block that somebody else has made. */
    synchronized Block hold(ByteBuffer memory) {
        blocks.add(memory);
        return new Block(blocks.size() - 1, 0, memory);
    }

    @Override
    public synchronized void retire(Block block) {
        retired++;
    }

    @Override
    public void free(Block block) {
        throw new UnsupportedOperationException();
    }

    @Override
    public synchronized ByteBuffer peerBlock(int slab, int offset, int bytes) {
        return blocks.get(slab);
    }

    @Override
    public boolean isAlive() {
        return alive;
    }

    synchronized int made() {
        return blocks.size();
    }

    /** Bytes of the largest block. */
    synchronized int largest() {
        return blocks.stream().mapToInt(ByteBuffer::capacity).max().orElse(0);
    }

    /** Whether any ring says that its writer's process ends in order. */
    synchronized boolean anyExits() {
        return blocks.stream().anyMatch(block -> new RingIn(block).hasExited());
    }

    synchronized int retired() {
        return retired;
    }
}
