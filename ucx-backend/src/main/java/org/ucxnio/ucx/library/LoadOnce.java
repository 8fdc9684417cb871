package org.ucxnio.ucx.library;

import org.ucxnio.ucx.UcxLibrary;
import org.ucxnio.ucx.UcxLoadOptions;
import org.ucxnio.ucx.UcxUnavailableException;

/** What a backend loads: a process loads one libucp, so whoever asks again hears the first answer. Thread-safe. */
public final class LoadOnce {

    /** The way of a backend to load libucp and bind it. */
    public interface Loader {
        UcxLibrary load(UcxLoadOptions options) throws UcxUnavailableException;
    }

    private final Loader loader;

    // Guarded by this.
    private UcxLibrary loaded;
    private UcxUnavailableException failure;

    public LoadOnce(Loader loader) {
        this.loader = loader;
    }

    /** @param options those of the first call count */
    public synchronized UcxLibrary load(UcxLoadOptions options) throws UcxUnavailableException {
        if (failure != null) {
            throw new UcxUnavailableException(failure.getMessage(), failure);
        }
        if (loaded == null) {
            try {
                loaded = loader.load(options);
            } catch (UcxUnavailableException e) {
                failure = e;
                throw e;
            }
        }
        return loaded;
    }
}
