package org.ucxnio.ucx;

/** A way to call UCX, found through {@link java.util.ServiceLoader}. Implementations are thread-safe. */
public interface UcxBackend {

    /** Short name shown to users, such as {@code ffm}. */
    String name();

    /** Preference among the backends that can run; the highest is tried first. */
    int priority();

    /**
     * Loads libucp. The environment that libucs reads while it loads is set first, where the user has not set it. Later
     * calls return the first call's result or repeat its failure: a process loads one libucp.
     *
     * @throws UcxUnavailableException with the reason a user can act on
     */
    UcxLibrary load(UcxLoadOptions options) throws UcxUnavailableException;
}
