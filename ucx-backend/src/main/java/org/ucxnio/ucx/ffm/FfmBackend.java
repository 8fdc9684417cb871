package org.ucxnio.ucx.ffm;

import org.ucxnio.ucx.UcxBackend;
import org.ucxnio.ucx.UcxLibrary;
import org.ucxnio.ucx.UcxLoadOptions;
import org.ucxnio.ucx.UcxUnavailableException;

/** UCX through {@code java.lang.foreign}: Java 22 and later, any libucx from 1.13 on. */
public final class FfmBackend implements UcxBackend {
    private static final Object LOAD_LOCK = new Object();

    // Guarded by LOAD_LOCK. A process loads one libucp: whoever asks again hears the first answer.
    private static UcxLibrary loaded;
    private static UcxUnavailableException failure;

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
        synchronized (LOAD_LOCK) {
            if (failure != null) {
                throw new UcxUnavailableException(failure.getMessage(), failure);
            }
            if (loaded == null) {
                try {
                    loaded = new FfmLibrary(FfmLoader.load(options));
                } catch (UcxUnavailableException e) {
                    failure = e;
                    throw e;
                }
            }
            return loaded;
        }
    }
}
