package org.ucxnio.ucx.library;

import org.ucxnio.ucx.UcxLibrary;

/** The libucp of this process, and what calls it. */
public abstract class BoundLibrary implements UcxLibrary {
    private final LoadedLibrary library;
    private final String backendName;
    private final String caller;

    /** @param caller the backend as a report names it, such as {@code jucx 1.18.1} */
    protected BoundLibrary(LoadedLibrary library, String backendName, String caller) {
        this.library = library;
        this.backendName = backendName;
        this.caller = caller;
    }

    @Override
    public final String backendName() {
        return backendName;
    }

    @Override
    public final String version() {
        return library.version();
    }

    @Override
    public final String path() {
        return library.path();
    }

    @Override
    public final String toString() {
        return "UCX " + version() + " (" + path() + ", " + caller + ")";
    }
}
