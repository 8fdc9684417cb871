package org.ucxnio.ucx.fake;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.ucxnio.posix.EventFd;
import org.ucxnio.posix.ffm.FfmPosix;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxLibrary;

/**
 * A UCX whose wire is a queue for each receiving worker. All workers made from one instance, through any number of
 * contexts, can reach each other, so that one test plays several processes. Nothing moves but in {@code progress()}.
 *
 * <p>It is as strict as UCX is: memory of a pending send is read when the send leaves, a full queue makes no event, arming
 * after a wake-up is busy once, progress from a listener is refused. Thread-safe where the SPI is.
 */
public final class FakeUcx implements UcxLibrary {
    public static final int DEFAULT_CAPACITY = 64;

    private static final int ADDRESS_MAGIC = 0x46414b45;

    /** Guards all queues. Never held while a listener runs. */
    final Object lock = new Object();

    final int capacity;
    final FakeFaults faults;
    private final Supplier<EventFd> eventFds;

    // Guarded by lock.
    private final Map<Integer, FakeWorker> workers = new HashMap<>();
    private int nextId = 1;
    private int openMemory;

    public FakeUcx() {
        this(DEFAULT_CAPACITY, FakeFaults.NONE);
    }

    /** @param capacity messages a worker's queue holds before sends to it are pending */
    public FakeUcx(int capacity, FakeFaults faults) {
        this(capacity, faults, FakeUcx::openEventFd);
    }

    /** @param eventFds makes the workers' descriptors */
    public FakeUcx(int capacity, FakeFaults faults, Supplier<EventFd> eventFds) {
        this.capacity = capacity;
        this.faults = faults;
        this.eventFds = eventFds;
    }

    private static EventFd openEventFd() {
        try {
            return new FfmPosix().openEventFd();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Workers that are open. */
    public List<FakeWorker> workers() {
        synchronized (lock) {
            return new ArrayList<>(workers.values());
        }
    }

    /** Memory blocks that are open. */
    public int openMemory() {
        synchronized (lock) {
            return openMemory;
        }
    }

    @Override
    public String backendName() {
        return "fake";
    }

    @Override
    public String version() {
        return "1.13.1";
    }

    @Override
    public String path() {
        return "fake";
    }

    @Override
    public UcxContext openContext(UcxContextOptions options) {
        return new FakeContext(this);
    }

    EventFd newEventFd() {
        return eventFds.get();
    }

    int register(FakeWorker worker) {
        synchronized (lock) {
            workers.put(nextId, worker);
            return nextId++;
        }
    }

    void unregister(int id) {
        synchronized (lock) {
            workers.remove(id);
        }
    }

    void memoryOpened(int change) {
        synchronized (lock) {
            openMemory += change;
        }
    }

    /** The worker with an address; null where it is closed. */
    FakeWorker worker(int id) {
        synchronized (lock) {
            return workers.get(id);
        }
    }

    /** An address looks like one, so that a mix-up fails. */
    static byte[] address(int id) {
        return ByteBuffer.allocate(16).putInt(ADDRESS_MAGIC).putInt(id).array();
    }

    static int id(byte[] address) throws UcxException {
        ByteBuffer buffer = ByteBuffer.wrap(address);
        if (address.length != 16 || buffer.getInt() != ADDRESS_MAGIC) {
            throw new UcxException("fake address", UcsStatus.ERR_INVALID_ADDR);
        }
        return buffer.getInt();
    }
}
