package org.ucxnio.ucx.jucx;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpMemMapParams;
import org.openucx.jucx.ucp.UcpMemory;
import org.openucx.jucx.ucp.UcpParams;
import org.ucxnio.posix.jna.JnaLibC;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxWorker;
import org.ucxnio.ucx.UcxWorkerListener;
import org.ucxnio.ucx.library.InfoParser;

/** A {@link UcpContext}, told that workers of several threads share it, which makes its functions thread-safe. */
final class JucxContext implements UcxContext {
    /** Transports that copy through memory of the host: registration gains them nothing. */
    private static final Set<String> SHARED_MEMORY = Set.of("posix", "sysv", "self", "cma", "knem", "xpmem");

    private final String name;
    private final UcpContext context;
    private final List<String> transports;
    private final boolean registersMemory;

    // Guarded by this: what UCX wants gone before the context is.
    private int children;
    private boolean closed;

    private JucxContext(String name, UcpContext context) {
        this.name = name;
        this.context = context;
        long handle = context.getNativeId();
        this.transports =
                List.copyOf(InfoParser.transports(JnaLibC.printed(stream -> Ucp.ucpContextPrintInfo(handle, stream))));
        this.registersMemory = transports.stream().anyMatch(transport -> !SHARED_MEMORY.contains(kind(transport)));
    }

    static JucxContext open(UcxContextOptions options) throws UcxException {
        Map<String, String> config = new TreeMap<>(options.config());
        config.keySet().removeIf(key -> JnaLibC.environment("UCX_" + key) != null);
        check(config);
        UcpParams params =
                new UcpParams().requestAmFeature().requestWakeupFeature().setMtWorkersShared(true);
        config.forEach(params::setConfig);
        try {
            return new JucxContext(options.name(), new UcpContext(params));
        } catch (org.openucx.jucx.UcxException e) {
            throw Statuses.exception("ucp_init with " + new TreeMap<>(options.config()), e);
        }
    }

    /** JUCX passes over values that UCX refuses. */
    private static void check(Map<String, String> values) throws UcxException {
        try (Memory result = new Memory(Long.BYTES)) {
            check("ucp_config_read", Ucp.ucpConfigRead(0, 0, Pointer.nativeValue(result)));
            long config = result.getLong(0);
            try {
                for (Map.Entry<String, String> entry : values.entrySet()) {
                    check(
                            "UCX configuration " + entry.getKey() + "=" + entry.getValue(),
                            Ucp.ucpConfigModify(config, entry.getKey(), entry.getValue()));
                }
            } finally {
                Ucp.ucpConfigRelease(config);
            }
        }
    }

    private static void check(String operation, int status) throws UcxException {
        if (status != UcsStatus.OK) {
            throw new UcxException(operation, status);
        }
    }

    private static String kind(String transport) {
        return transport.substring(0, transport.indexOf('/'));
    }

    UcpContext handle() {
        return context;
    }

    @Override
    public UcxWorker createWorker(UcxWorkerListener listener) throws UcxException {
        retain();
        try {
            return new JucxWorker(this, listener);
        } catch (org.openucx.jucx.UcxException e) {
            release();
            throw Statuses.exception("ucp_worker_create", e);
        } catch (RuntimeException e) {
            release();
            throw e;
        }
    }

    @Override
    public NativeMemory allocate(int sizeBytes) throws UcxException {
        return JucxMemory.allocate(this, sizeBytes, registersMemory);
    }

    /** Registers memory with UCX; the context must have been retained, and {@link #unregister} releases it. */
    UcpMemory register(long address, int sizeBytes) throws UcxException {
        try {
            return context.memoryMap(new UcpMemMapParams().setAddress(address).setLength(sizeBytes));
        } catch (org.openucx.jucx.UcxException e) {
            release();
            throw Statuses.exception("ucp_mem_map", e);
        }
    }

    void unregister(UcpMemory memory) {
        memory.deregister();
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
        context.close();
    }

    @Override
    public String toString() {
        return "UCX context '" + name + "' over " + transports;
    }
}
