package org.ucxnio.ucx.ffm;

import org.ucxnio.posix.ffm.LibC;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxLibrary;
import org.ucxnio.ucx.UcxUnavailableException;

/** The libucp of this process. */
final class FfmLibrary implements UcxLibrary {
    private static final int OLDEST_MINOR = 13;

    private final String version;
    private final String path;

    FfmLibrary(LibraryLoader.Loaded library) throws UcxUnavailableException {
        long code = LibC.symbol(library.handle(), "ucp_get_version");
        String file = code == 0 ? null : LibC.fileOf(code);
        path = file == null ? library.requested() : file;
        int[] numbers = code == 0 ? new int[3] : Ucp.version(code);
        version = numbers[0] + "." + numbers[1] + "." + numbers[2];
        if (numbers[0] < 1 || (numbers[0] == 1 && numbers[1] < OLDEST_MINOR)) {
            throw new UcxUnavailableException("'" + path + "' is UCX " + (code == 0 ? "of an unknown version" : version)
                    + "; ucxnio needs 1." + OLDEST_MINOR + " or later.");
        }
        if (numbers[0] > 1) {
            throw new UcxUnavailableException("'" + path + "' is UCX " + version + "; ucxnio knows UCX 1.x only.");
        }
        Ucp.bind(library.handle(), path);
    }

    @Override
    public String backendName() {
        return "ffm";
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public UcxContext openContext(UcxContextOptions options) throws UcxException {
        return FfmContext.open(options);
    }

    @Override
    public String toString() {
        return "UCX " + version + " (" + path + ", ffm)";
    }
}
