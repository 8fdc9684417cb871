package org.ucxnio.ucx.jucx;

import org.ucxnio.ucx.UcxBackend;
import org.ucxnio.ucx.UcxLibrary;
import org.ucxnio.ucx.UcxLoadOptions;
import org.ucxnio.ucx.UcxUnavailableException;
import org.ucxnio.ucx.library.LoadOnce;

/** UCX through JUCX: Java 17 and later, where JUCX and JNA are on the class path. */
public final class JucxBackend implements UcxBackend {
    private static final LoadOnce LIBRARY = new LoadOnce(JucxBackend::loadLinked);

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
        return LIBRARY.load(options);
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
