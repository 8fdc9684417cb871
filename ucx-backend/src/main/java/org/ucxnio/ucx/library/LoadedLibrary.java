package org.ucxnio.ucx.library;

import org.ucxnio.ucx.UcxUnavailableException;

/**
 * The libucp of this process, which is one that we know how to use.
 *
 * @param handle of the dynamic linker; never closed
 * @param path the file, as far as it is known; otherwise the name it was asked for by
 * @param major first number of its version
 * @param minor second number of its version
 * @param release third number of its version
 */
public record LoadedLibrary(long handle, String path, int major, int minor, int release) {
    private static final int OLDEST_MINOR = 13;

    static LoadedLibrary of(NativeLoader loader, long handle, String requested) throws UcxUnavailableException {
        long code = loader.symbol(handle, "ucp_get_version");
        String file = code == 0 ? null : loader.fileOf(code);
        String path = file == null ? requested : file;
        int[] numbers = code == 0 ? new int[3] : loader.version(code);
        LoadedLibrary library = new LoadedLibrary(handle, path, numbers[0], numbers[1], numbers[2]);
        if (!library.isAtLeast(1, OLDEST_MINOR)) {
            throw new UcxUnavailableException("'" + path + "' is UCX "
                    + (code == 0 ? "of an unknown version" : library.version()) + "; ucxnio needs 1." + OLDEST_MINOR
                    + " or later.");
        }
        if (library.major > 1) {
            throw new UcxUnavailableException(
                    "'" + path + "' is UCX " + library.version() + "; ucxnio knows UCX 1.x only.");
        }
        return library;
    }

    /** Whether the version is this one or a later one. */
    public boolean isAtLeast(int otherMajor, int otherMinor) {
        return major > otherMajor || major == otherMajor && minor >= otherMinor;
    }

    /** As {@code major.minor.release}. */
    public String version() {
        return major + "." + minor + "." + release;
    }
}
