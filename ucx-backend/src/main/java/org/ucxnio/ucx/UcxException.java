package org.ucxnio.ucx;

import java.io.IOException;

/** A UCX call failed where no ordinary outcome was left. */
public class UcxException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    public UcxException(String operation, int status) {
        super(operation + ": " + UcsStatus.describe(status));
        this.status = status;
    }

    /** The {@link UcsStatus} code. */
    public int status() {
        return status;
    }
}
