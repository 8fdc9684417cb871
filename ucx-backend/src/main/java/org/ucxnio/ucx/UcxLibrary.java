package org.ucxnio.ucx;

/** A loaded libucp. Thread-safe. */
public interface UcxLibrary {

    /** Name of the backend that loaded it. */
    String backendName();

    /** Version of the running library, as {@code major.minor.release}. */
    String version();

    /**
     * The UCX transport over shared memory that this version does without crashing. With {@code posix} a worker of 1.18.1, 1.20.1 and 1.22.0
     * crashes that is asked to be connected by one which is gone before it gets the answer: an endpoint is freed that is still to be told of
     * its failure. 1.13.1 and 1.14.1 do not, nor does any of them with {@code sysv}.
     */
    default String hostTransport() {
        return UcxVersion.number(version()) < UcxVersion.number("1.15.0") ? "posix" : "sysv";
    }

    /** File the library was loaded from, as far as it is known; otherwise the name it was found by. */
    String path();

    /** Opens a context. Contexts are independent of each other. */
    UcxContext openContext(UcxContextOptions options) throws UcxException;
}
