package org.ucxnio.ucx;

/** UCX cannot be used in this process; the message says why in words for a user. */
public class UcxUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    public UcxUnavailableException(String message) {
        super(message);
    }

    public UcxUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
