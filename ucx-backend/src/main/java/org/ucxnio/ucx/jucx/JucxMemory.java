package org.ucxnio.ucx.jucx;

import java.nio.ByteOrder;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpMemory;
import org.openucx.jucx.ucp.UcpRequestParams;
import org.openucx.jucx.ucs.UcsConstants.MEMORY_TYPE;
import org.ucxnio.ucx.library.CountedContext;
import org.ucxnio.ucx.library.MappedMemory;

/** Mapped memory, with a {@link UcpMemory} where it is registered. */
final class JucxMemory extends MappedMemory<JucxContext> {
    /** JUCX's default says that the type is unknown, by a number that moves from version to version. */
    private static final UcpRequestParams UNREGISTERED =
            new UcpRequestParams().setMemoryType(MEMORY_TYPE.UCS_MEMORY_TYPE_HOST);

    private final UcpRequestParams params;

    // Null where it is not registered.
    private UcpMemory registration;

    JucxMemory(JucxContext context, long address, int size, UcpMemory registration) {
        super(context, address, size, UcxUtils.getByteBufferView(address, size).order(ByteOrder.nativeOrder()));
        this.registration = registration;
        this.params = registration == null
                ? UNREGISTERED
                : new UcpRequestParams()
                        .setMemoryType(MEMORY_TYPE.UCS_MEMORY_TYPE_HOST)
                        .setMemoryHandle(registration);
    }

    /** What a send over a context says of this memory. */
    UcpRequestParams paramsFor(CountedContext sending) {
        return sending == context ? params : UNREGISTERED;
    }

    @Override
    protected boolean isRegistered() {
        return registration != null;
    }

    @Override
    protected void deregister() {
        registration.deregister();
        registration = null;
    }
}
