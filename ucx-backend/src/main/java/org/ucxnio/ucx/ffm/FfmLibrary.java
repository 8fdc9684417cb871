package org.ucxnio.ucx.ffm;

import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxUnavailableException;
import org.ucxnio.ucx.library.BoundLibrary;
import org.ucxnio.ucx.library.LoadedLibrary;

/** The libucp of this process. */
final class FfmLibrary extends BoundLibrary {
    FfmLibrary(LoadedLibrary library) throws UcxUnavailableException {
        super(library, "ffm", "ffm");
        Ucp.bind(library.handle(), library.path());
    }

    @Override
    public UcxContext openContext(UcxContextOptions options) throws UcxException {
        return FfmContext.open(options);
    }
}
