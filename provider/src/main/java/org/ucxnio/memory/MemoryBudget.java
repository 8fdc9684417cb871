package org.ucxnio.memory;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What all sessions of a process may hold together: bytes of slabs that it made ({@code ucxnio.memory}), and mappings, of which the
 * kernel allows a process 65,530 as a rule. Also hands out the numbers of the process's slabs. Thread-safe, without locks.
 *
 * <p>A session gives back what it took when it ends. The memory itself goes a little later, when the last mapped buffer of it is
 * collected: until then a process may hold more than the budget says.
 */
public final class MemoryBudget {
    private static final int MAX_MAPPINGS = 32 << 10;

    /** 0 before it was asked for, where nobody has chosen one. */
    private volatile long limit;

    private final AtomicLong held = new AtomicLong();
    private final AtomicInteger mappings = new AtomicInteger();
    private final AtomicInteger lastSlab = new AtomicInteger();
    private final DescriptorReserve reserve = new DescriptorReserve();
    private volatile boolean closed;
    private volatile String shortage;

    /** @param limit in bytes; 0 for {@link MachineMemory#defaultLimit}, which is found out when it is needed */
    public MemoryBudget(long limit) {
        this.limit = limit;
    }

    /** Bytes that slabs of this process take. */
    public long held() {
        return held.get();
    }

    public long limit() {
        if (limit == 0) {
            limit = MachineMemory.defaultLimit();
        }
        return limit;
    }

    DescriptorReserve reserve() {
        return reserve;
    }

    /** What the last slab that could not be had was short of; null where none was missed. */
    public String shortage() {
        return shortage;
    }

    void missed(String reason) {
        shortage = reason;
    }

    /** From now on no slab is made: the process ends, and nobody would tell the peer of it. */
    public void close() {
        closed = true;
    }

    boolean take(int bytes) {
        while (!closed) {
            long before = held.get();
            if (before + bytes > limit()) {
                return false;
            }
            if (held.compareAndSet(before, before + bytes)) {
                return true;
            }
        }
        return false;
    }

    void giveBack(long bytes) {
        held.addAndGet(-bytes);
    }

    boolean takeMapping() {
        if (mappings.incrementAndGet() <= MAX_MAPPINGS) {
            return true;
        }
        mappings.decrementAndGet();
        return false;
    }

    void giveBackMappings(int count) {
        mappings.addAndGet(-count);
    }

    /** A number that no slab of this process has had; negative once all have been used. */
    int nextSlab() {
        return lastSlab.updateAndGet(last -> last < 0 ? last : last + 1);
    }
}
