package org.ucxnio.ucx.ffm;

import org.ucxnio.posix.ffm.LibC;
import org.ucxnio.ucx.UcxLoadOptions;
import org.ucxnio.ucx.UcxUnavailableException;
import org.ucxnio.ucx.library.LibraryLoader;
import org.ucxnio.ucx.library.LoadedLibrary;
import org.ucxnio.ucx.library.NativeLoader;

/** The dynamic linker through {@code java.lang.foreign}. */
final class FfmLoader implements NativeLoader {
    private FfmLoader() {}

    /** Loads libucp; what the JVM has against foreign functions becomes a reason in words. */
    static LoadedLibrary load(UcxLoadOptions options) throws UcxUnavailableException {
        try {
            return new LibraryLoader(new FfmLoader()).load(options);
        } catch (IllegalCallerException e) {
            throw nativeAccessDenied(e);
        } catch (UnsupportedOperationException e) {
            throw new UcxUnavailableException(
                    "This platform has no usable foreign function interface: " + e.getMessage(), e);
        } catch (ExceptionInInitializerError e) {
            if (e.getCause() instanceof IllegalCallerException) {
                throw nativeAccessDenied(e.getCause());
            }
            throw new UcxUnavailableException("The foreign function interface does not work here: " + e.getCause(), e);
        }
    }

    private static UcxUnavailableException nativeAccessDenied(Throwable cause) {
        return new UcxUnavailableException(
                "Native access is denied (" + cause.getMessage()
                        + "); start Java with --enable-native-access=ALL-UNNAMED",
                cause);
    }

    @Override
    public String getenv(String name) {
        return LibC.getenv(name);
    }

    @Override
    public void setenv(String name, String value) {
        LibC.setenv(name, value);
    }

    @Override
    public long load(String library) {
        return LibC.load(library);
    }

    @Override
    public String loadError() {
        return LibC.loadError();
    }

    @Override
    public long symbol(long library, String name) {
        return LibC.symbol(library, name);
    }

    @Override
    public String fileOf(long codeAddress) {
        return LibC.fileOf(codeAddress);
    }

    @Override
    public int[] version(long function) {
        return Ucp.version(function);
    }
}
