package org.ucxnio.ucx.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ucxnio.posix.ffm.LibC;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxWorker;
import org.ucxnio.ucx.UcxWorkerListener;
import org.ucxnio.ucx.library.ContextConfig;
import org.ucxnio.ucx.library.CountedContext;
import org.ucxnio.ucx.library.Outcomes;

/** A {@code ucp_context_h}, told that workers of several threads share it, which makes its functions thread-safe. */
final class FfmContext extends CountedContext {
    private final long handle;

    private FfmContext(String name, long handle) {
        super(name, Printed.by(stream -> Ucp.contextPrintInfo(handle, stream)));
        this.handle = handle;
    }

    static FfmContext open(UcxContextOptions options) throws UcxException {
        ContextConfig wanted = new ContextConfig(options, LibC::getenv);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment result = arena.allocate(JAVA_LONG);
            Outcomes.check("ucp_config_read", Ucp.configRead(0, 0, result.address()));
            long config = result.get(JAVA_LONG, 0);
            try {
                wanted.modify((key, value) -> Ucp.configModify(
                        config,
                        arena.allocateFrom(key).address(),
                        arena.allocateFrom(value).address()));
                long params = params(arena, options.name());
                Outcomes.check(wanted.initOperation(), Ucp.init(params, config, result.address()));
            } finally {
                Ucp.configRelease(config);
            }
            return new FfmContext(options.name(), result.get(JAVA_LONG, 0));
        }
    }

    private static long params(Arena arena, String name) {
        MemorySegment params = arena.allocate(UcpLayouts.PARAMS_SIZE, Long.BYTES);
        params.set(
                JAVA_LONG,
                UcpLayouts.PARAMS_FIELD_MASK,
                UcpLayouts.PARAM_FIELD_FEATURES
                        | UcpLayouts.PARAM_FIELD_MT_WORKERS_SHARED
                        | UcpLayouts.PARAM_FIELD_NAME);
        params.set(JAVA_LONG, UcpLayouts.PARAMS_FEATURES, UcpLayouts.FEATURE_AM | UcpLayouts.FEATURE_WAKEUP);
        params.set(JAVA_INT, UcpLayouts.PARAMS_MT_WORKERS_SHARED, 1);
        params.set(JAVA_LONG, UcpLayouts.PARAMS_NAME, arena.allocateFrom(name).address());
        return params.address();
    }

    long handle() {
        return handle;
    }

    @Override
    protected UcxWorker newWorker(UcxWorkerListener listener) throws UcxException {
        return new FfmWorker(this, listener);
    }

    @Override
    protected long map(long sizeBytes) {
        return LibC.map(sizeBytes);
    }

    @Override
    protected void unmap(long address, long sizeBytes) {
        LibC.unmap(address, sizeBytes);
    }

    @Override
    protected NativeMemory newMemory(long address, int sizeBytes, boolean register) throws UcxException {
        return new FfmMemory(this, address, sizeBytes, register ? register(address, sizeBytes) : 0);
    }

    private long register(long address, int sizeBytes) throws UcxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment params = arena.allocate(UcpLayouts.MEM_MAP_PARAMS_SIZE, Long.BYTES);
            params.set(
                    JAVA_LONG,
                    UcpLayouts.MEM_MAP_PARAMS_FIELD_MASK,
                    UcpLayouts.MEM_MAP_PARAM_FIELD_ADDRESS | UcpLayouts.MEM_MAP_PARAM_FIELD_LENGTH);
            params.set(JAVA_LONG, UcpLayouts.MEM_MAP_PARAMS_ADDRESS, address);
            params.set(JAVA_LONG, UcpLayouts.MEM_MAP_PARAMS_LENGTH, sizeBytes);
            MemorySegment result = arena.allocate(JAVA_LONG);
            Outcomes.check("ucp_mem_map", Ucp.memoryMap(handle, params.address(), result.address()));
            return result.get(JAVA_LONG, 0);
        }
    }

    @Override
    protected void cleanup() {
        Ucp.cleanup(handle);
    }
}
