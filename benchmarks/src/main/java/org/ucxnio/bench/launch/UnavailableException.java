package org.ucxnio.bench.launch;

/** Something to compare with cannot be had on this machine; the message says why. */
final class UnavailableException extends LaunchException {
    private static final long serialVersionUID = 1;

    UnavailableException(String reason) {
        super(reason);
    }
}
