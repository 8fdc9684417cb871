package org.ucxnio.bench.launch;

/** A measured JVM failed or did not answer in time. The message is for the person at the terminal. */
public class LaunchException extends Exception {
    private static final long serialVersionUID = 1L;

    public LaunchException(String message) {
        super(message);
    }

    public LaunchException(String message, Throwable cause) {
        super(message, cause);
    }
}
