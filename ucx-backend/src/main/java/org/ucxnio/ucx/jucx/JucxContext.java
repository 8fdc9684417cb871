package org.ucxnio.ucx.jucx;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpMemMapParams;
import org.openucx.jucx.ucp.UcpMemory;
import org.openucx.jucx.ucp.UcpParams;
import org.ucxnio.posix.jna.JnaLibC;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxWorker;
import org.ucxnio.ucx.UcxWorkerListener;
import org.ucxnio.ucx.library.ContextConfig;
import org.ucxnio.ucx.library.CountedContext;
import org.ucxnio.ucx.library.Outcomes;

/** A {@link UcpContext}, told that workers of several threads share it, which makes its functions thread-safe. */
final class JucxContext extends CountedContext {
    private final UcpContext context;

    private JucxContext(String name, UcpContext context) {
        super(name, printedInfo(context.getNativeId()));
        this.context = context;
    }

    private static String printedInfo(long handle) {
        return JnaLibC.printed(stream -> Ucp.ucpContextPrintInfo(handle, stream));
    }

    static JucxContext open(UcxContextOptions options) throws UcxException {
        ContextConfig wanted = new ContextConfig(options, JnaLibC::environment);
        check(wanted);
        UcpParams params =
                new UcpParams().requestAmFeature().requestWakeupFeature().setMtWorkersShared(true);
        wanted.values().forEach(params::setConfig);
        try {
            return new JucxContext(options.name(), new UcpContext(params));
        } catch (org.openucx.jucx.UcxException e) {
            throw Statuses.exception(wanted.initOperation(), e);
        }
    }

    /** JUCX passes over values that UCX refuses. */
    private static void check(ContextConfig wanted) throws UcxException {
        try (Memory result = new Memory(Long.BYTES)) {
            Outcomes.check("ucp_config_read", Ucp.ucpConfigRead(0, 0, Pointer.nativeValue(result)));
            long config = result.getLong(0);
            try {
                wanted.modify((key, value) -> Ucp.ucpConfigModify(config, key, value));
            } finally {
                Ucp.ucpConfigRelease(config);
            }
        }
    }

    UcpContext handle() {
        return context;
    }

    @Override
    protected UcxWorker newWorker(UcxWorkerListener listener) throws UcxException {
        try {
            return new JucxWorker(this, listener);
        } catch (org.openucx.jucx.UcxException e) {
            throw Statuses.exception("ucp_worker_create", e);
        }
    }

    @Override
    protected long map(long sizeBytes) {
        return JnaLibC.map(sizeBytes);
    }

    @Override
    protected void unmap(long address, long sizeBytes) {
        JnaLibC.unmap(address, sizeBytes);
    }

    @Override
    protected NativeMemory newMemory(long address, int sizeBytes, boolean register) throws UcxException {
        return new JucxMemory(this, address, sizeBytes, register ? register(address, sizeBytes) : null);
    }

    private UcpMemory register(long address, int sizeBytes) throws UcxException {
        try {
            return context.memoryMap(new UcpMemMapParams().setAddress(address).setLength(sizeBytes));
        } catch (org.openucx.jucx.UcxException e) {
            throw Statuses.exception("ucp_mem_map", e);
        }
    }

    @Override
    protected void cleanup() {
        context.close();
    }
}
