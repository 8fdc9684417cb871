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
import org.ucxnio.ucx.UcxCapability;
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

    /** Guards all queues. Never held while a listener runs. */
    final Object lock = new Object();

    final int capacity;
    final FakeFaults faults;
    private final Supplier<EventFd> eventFds;

    // Guarded by lock.
    private final Map<Integer, FakeWorker> workers = new HashMap<>();
    private final Map<Integer, FakeSharedMemory> sharedMemory = new HashMap<>();
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

    /** Memory blocks that are open, shared ones included. */
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
    public boolean supports(UcxCapability capability) {
        return true;
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

    int register(FakeSharedMemory memory) {
        synchronized (lock) {
            sharedMemory.put(nextId, memory);
            return nextId++;
        }
    }

    void unregister(int id) {
        synchronized (lock) {
            workers.remove(id);
            sharedMemory.remove(id);
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

    FakeSharedMemory sharedMemory(byte[] key) throws UcxException {
        synchronized (lock) {
            FakeSharedMemory memory = sharedMemory.get(id(key, 'K'));
            if (memory == null) {
                throw new UcxException("fake remote key", UcsStatus.ERR_UNREACHABLE);
            }
            return memory;
        }
    }

    /** Addresses and keys look like what they are, so that a mix-up fails. */
    static byte[] name(int id, char kind) {
        return ByteBuffer.allocate(16)
                .putInt(0x46414b45)
                .putChar(kind)
                .putInt(id)
                .array();
    }

    static int id(byte[] name, char kind) throws UcxException {
        ByteBuffer buffer = ByteBuffer.wrap(name);
        if (name.length != 16 || buffer.getInt() != 0x46414b45 || buffer.getChar() != kind) {
            throw new UcxException("fake name", UcsStatus.ERR_INVALID_ADDR);
        }
        return buffer.getInt();
    }
}
