package org.ucxnio.ucx.library;

import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxException;

/** What calls return that are expected to succeed. */
public final class Outcomes {
    private Outcomes() {}

    /** @throws UcxException naming the operation, unless the status is {@link UcsStatus#OK} */
    public static void check(String operation, int status) throws UcxException {
        if (status != UcsStatus.OK) {
            throw new UcxException(operation, status);
        }
    }
}
