package org.ucxnio.ucx.jucx;

import org.ucxnio.ucx.UcxBackend;
import org.ucxnio.ucx.UcxLibrary;
import org.ucxnio.ucx.UcxLoadOptions;
import org.ucxnio.ucx.UcxUnavailableException;

/** UCX through JUCX: Java 17 and later, where JUCX and JNA are on the class path. */
public final class JucxBackend implements UcxBackend {
    private static final Object LOAD_LOCK = new Object();

    // Guarded by LOAD_LOCK. A process loads one libucp: whoever asks again hears the first answer.
    private static UcxLibrary loaded;
    private static UcxUnavailableException failure;

    @Override
    public String name() {
        return "jucx";
    }

    @Override
    public int priority() {
        return 50;
    }

    @Override
    public UcxLibrary load(UcxLoadOptions options) throws UcxUnavailableException {
        synchronized (LOAD_LOCK) {
            if (failure != null) {
                throw new UcxUnavailableException(failure.getMessage(), failure);
            }
            if (loaded == null) {
                try {
                    loaded = loadLinked(options);
                } catch (UcxUnavailableException e) {
                    failure = e;
                    throw e;
                }
            }
            return loaded;
        }
    }

    private static UcxLibrary loadLinked(UcxLoadOptions options) throws UcxUnavailableException {
        Neighbours.requireAll();
        try {
            return JucxLibrary.load(options);
        } catch (LinkageError e) {
            throw new UcxUnavailableException("JUCX or JNA does not work here: " + e, e);
        }
    }
}
