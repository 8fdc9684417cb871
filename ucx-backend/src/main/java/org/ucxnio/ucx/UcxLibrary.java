package org.ucxnio.ucx;

/** A loaded libucp. Thread-safe. */
public interface UcxLibrary {

    /** Name of the backend that loaded it. */
    String backendName();

    /** Version of the running library, as {@code major.minor.release}. */
    String version();

    /** File the library was loaded from, as far as it is known; otherwise the name it was found by. */
    String path();

    /** Opens a context. Contexts are independent of each other. */
    UcxContext openContext(UcxContextOptions options) throws UcxException;
}
