package org.ucxnio.ucx.library;

import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxEndpoint;

/**
 * A {@code ucp_ep_h} that UCX hears of only while it is open and whole. A process loads one subclass, so that the compiler sees through the
 * calls that each send makes.
 */
public abstract class GuardedEndpoint implements UcxEndpoint {
    // Why UCX declared the endpoint broken, or OK. Later sends do not reach UCX, which would queue some of them.
    private int failure = UcsStatus.OK;

    /** UCX declared it broken. */
    public final void failed(int status) {
        failure = status;
    }

    /** Whether it has a handle. */
    protected abstract boolean isOpen();

    @Override
    public final int send(NativeMemory memory, int offset, int length, long token) {
        MappedMemory<?> block = (MappedMemory<?>) memory;
        long address = block.at(offset, length);
        if (!isOpen()) {
            return UcsStatus.ERR_NOT_CONNECTED;
        }
        if (failure != UcsStatus.OK) {
            return failure;
        }
        return transmit(block, address, length, token);
    }

    /** Hands UCX what was checked. */
    protected abstract int transmit(MappedMemory<?> memory, long address, int length, long token);

    @Override
    public final String lanes() {
        return isOpen() ? InfoParser.lanes(printedInfo()) : "";
    }

    /** What {@code ucp_ep_print_info} prints. */
    protected abstract String printedInfo();
}
