package org.ucxnio.ucx.ffm;

import org.ucxnio.ucx.UcxBackend;
import org.ucxnio.ucx.UcxLibrary;
import org.ucxnio.ucx.UcxLoadOptions;
import org.ucxnio.ucx.UcxUnavailableException;
import org.ucxnio.ucx.library.LoadOnce;

/** UCX through {@code java.lang.foreign}: Java 22 and later, any libucx from 1.13 on. */
public final class FfmBackend implements UcxBackend {
    private static final LoadOnce LIBRARY = new LoadOnce(options -> new FfmLibrary(FfmLoader.load(options)));

    @Override
    public String name() {
        return "ffm";
    }

    @Override
    public int priority() {
        return 100;
    }

    @Override
    public UcxLibrary load(UcxLoadOptions options) throws UcxUnavailableException {
        return LIBRARY.load(options);
    }
}
