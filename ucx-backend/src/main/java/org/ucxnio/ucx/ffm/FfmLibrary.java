package org.ucxnio.ucx.ffm;

import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxLibrary;
import org.ucxnio.ucx.UcxUnavailableException;
import org.ucxnio.ucx.library.LoadedLibrary;

/** The libucp of this process. */
final class FfmLibrary implements UcxLibrary {
    private final LoadedLibrary library;

    FfmLibrary(LoadedLibrary library) throws UcxUnavailableException {
        this.library = library;
        Ucp.bind(library.handle(), library.path());
    }

    @Override
    public String backendName() {
        return "ffm";
    }

    @Override
    public String version() {
        return library.version();
    }

    @Override
    public String path() {
        return library.path();
    }

    @Override
    public UcxContext openContext(UcxContextOptions options) throws UcxException {
        return FfmContext.open(options);
    }

    @Override
    public String toString() {
        return "UCX " + version() + " (" + path() + ", ffm)";
    }
}
