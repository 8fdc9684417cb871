package org.ucxnio.ucx.jucx;

import org.ucxnio.ucx.UcsStatus;
import org.ucxnio.ucx.UcxException;

/** What JUCX throws, as what our callers know. */
final class Statuses {
    private Statuses() {}

    /** A status that says that something failed, whatever JUCX says. */
    static int of(org.openucx.jucx.UcxException thrown) {
        return failed(thrown.getStatus());
    }

    static int failed(int status) {
        return UcsStatus.isError(status) ? status : UcsStatus.ERR_IO_ERROR;
    }

    static UcxException exception(String operation, org.openucx.jucx.UcxException thrown) {
        UcxException exception = new UcxException(operation, of(thrown));
        exception.initCause(thrown);
        return exception;
    }
}
