package org.ucxnio.ucx.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.ucxnio.posix.ffm.LibC;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxWorker;
import org.ucxnio.ucx.UcxWorkerListener;
import org.ucxnio.ucx.library.InfoParser;

/** A {@code ucp_context_h}, told that workers of several threads share it, which makes its functions thread-safe. */
final class FfmContext implements UcxContext {
    /** Transports that copy through memory of the host: registration gains them nothing. */
    private static final Set<String> SHARED_MEMORY = Set.of("posix", "sysv", "self", "cma", "knem", "xpmem");

    private final String name;
    private final long handle;
    private final List<String> transports;
    private final boolean registersMemory;

    // Guarded by this: what UCX wants gone before the context is.
    private int children;
    private boolean closed;

    private FfmContext(String name, long handle) {
        this.name = name;
        this.handle = handle;
        this.transports =
                List.copyOf(InfoParser.transports(Printed.by(stream -> Ucp.contextPrintInfo(handle, stream))));
        this.registersMemory = transports.stream().anyMatch(transport -> !SHARED_MEMORY.contains(kind(transport)));
    }

    static FfmContext open(UcxContextOptions options) throws UcxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(JAVA_LONG);
            check("ucp_config_read", Ucp.configRead(0, 0, result.address()));
            long config = result.get(JAVA_LONG, 0);
            try {
                modify(arena, config, options.config());
                MemorySegment params = arena.allocate(UcpLayouts.PARAMS_SIZE, Long.BYTES);
                params.set(
                        JAVA_LONG,
                        UcpLayouts.PARAMS_FIELD_MASK,
                        UcpLayouts.PARAM_FIELD_FEATURES
                                | UcpLayouts.PARAM_FIELD_MT_WORKERS_SHARED
                                | UcpLayouts.PARAM_FIELD_NAME);
                params.set(JAVA_LONG, UcpLayouts.PARAMS_FEATURES, UcpLayouts.FEATURE_AM | UcpLayouts.FEATURE_WAKEUP);
                params.set(JAVA_INT, UcpLayouts.PARAMS_MT_WORKERS_SHARED, 1);
                params.set(
                        JAVA_LONG,
                        UcpLayouts.PARAMS_NAME,
                        arena.allocateFrom(options.name()).address());
                check(
                        "ucp_init with " + new TreeMap<>(options.config()),
                        Ucp.init(params.address(), config, result.address()));
            } finally {
                Ucp.configRelease(config);
            }
            return new FfmContext(options.name(), result.get(JAVA_LONG, 0));
        }
    }

    private static void modify(Arena arena, long config, Map<String, String> values) throws UcxException {
        for (Map.Entry<String, String> entry : values.entrySet()) {
            if (LibC.getenv("UCX_" + entry.getKey()) == null) {
                int status = Ucp.configModify(
                        config,
                        arena.allocateFrom(entry.getKey()).address(),
                        arena.allocateFrom(entry.getValue()).address());
                check("UCX configuration " + entry.getKey() + "=" + entry.getValue(), status);
            }
        }
    }

    static void check(String operation, int status) throws UcxException {
        if (status != UcsStatus.OK) {
            throw new UcxException(operation, status);
        }
    }

    private static String kind(String transport) {
        return transport.substring(0, transport.indexOf('/'));
    }

    long handle() {
        return handle;
    }

    /** Whether sends hand UCX the registration of their memory. */
    boolean registersMemory() {
        return registersMemory;
    }

    @Override
    public UcxWorker createWorker(UcxWorkerListener listener) throws UcxException {
        retain();
        try {
            return new FfmWorker(this, listener);
        } catch (UcxException | RuntimeException e) {
            release();
            throw e;
        }
    }

    @Override
    public NativeMemory allocate(int sizeBytes) throws UcxException {
        return FfmMemory.allocate(this, sizeBytes, registersMemory);
    }

    /** Registers memory with UCX; the context must have been retained, and {@link #unregister} releases it. */
    long register(long address, int sizeBytes) throws UcxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment params = arena.allocate(UcpLayouts.MEM_MAP_PARAMS_SIZE, Long.BYTES);
            params.set(
                    JAVA_LONG,
                    UcpLayouts.MEM_MAP_PARAMS_FIELD_MASK,
                    UcpLayouts.MEM_MAP_PARAM_FIELD_ADDRESS | UcpLayouts.MEM_MAP_PARAM_FIELD_LENGTH);
            params.set(JAVA_LONG, UcpLayouts.MEM_MAP_PARAMS_ADDRESS, address);
            params.set(JAVA_LONG, UcpLayouts.MEM_MAP_PARAMS_LENGTH, sizeBytes);
            MemorySegment result = arena.allocate(JAVA_LONG);
            check("ucp_mem_map", Ucp.memoryMap(handle, params.address(), result.address()));
            return result.get(JAVA_LONG, 0);
        } catch (UcxException | RuntimeException e) {
            release();
            throw e;
        }
    }

    void unregister(long memory) {
        Ucp.memoryUnmap(handle, memory);
        release();
    }

    @Override
    public List<String> transports() {
        return transports;
    }

    synchronized void retain() {
        if (closed) {
            throw new IllegalStateException("UCX context '" + name + "' is closed");
        }
        children++;
    }

    synchronized void release() {
        children--;
    }

    /** Fails where workers or registered memory are still open: UCX would use them after they are gone. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        if (children > 0) {
            throw new IllegalStateException(
                    "UCX context '" + name + "' still has " + children + " open workers and memory blocks");
        }
        closed = true;
        Ucp.cleanup(handle);
    }

    @Override
    public String toString() {
        return "UCX context '" + name + "' over " + transports;
    }
}
