package org.ucxnio.ucx.jucx;

import java.nio.file.Path;
import org.openucx.jucx.NativeLibs;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxLoadOptions;
import org.ucxnio.ucx.UcxUnavailableException;
import org.ucxnio.ucx.library.BoundLibrary;
import org.ucxnio.ucx.library.LibraryLoader;
import org.ucxnio.ucx.library.LoadedLibrary;

/** The libucp of this process, and JUCX on top of it. */
final class JucxLibrary extends BoundLibrary {
    private JucxLibrary(LoadedLibrary library, String jucx) {
        super(library, "jucx", "jucx " + jucx);
    }

    static JucxLibrary load(UcxLoadOptions options) throws UcxUnavailableException {
        LibraryLoader loader = new LibraryLoader(new JnaLoader());
        String jucx = JucxVersion.text();
        Path own = OwnSearch.result();
        LoadedLibrary library = own == null ? loadFirst(loader, options, jucx) : loadLast(loader, options, jucx, own);
        Ucp.bind(library.path());
        return new JucxLibrary(library, jucx);
    }

    /** The dynamic linker gives JUCX's library what has been loaded under the name it asks for. */
    private static LoadedLibrary loadFirst(LibraryLoader loader, UcxLoadOptions options, String jucx)
            throws UcxUnavailableException {
        LoadedLibrary library = loader.load(options);
        JucxVersion.requireFit(jucx, library);
        NativeLibs.load();
        return library;
    }

    /** What JUCX finds and loads by itself has to be what we use. */
    private static LoadedLibrary loadLast(LibraryLoader loader, UcxLoadOptions options, String jucx, Path own)
            throws UcxUnavailableException {
        OwnSearch.requireSame(own, options.libraryPath());
        loader.prepareEnvironment(options.logFile());
        NativeLibs.load();
        LoadedLibrary library = loader.loaded();
        JucxVersion.requireFit(jucx, library);
        return library;
    }

    @Override
    public UcxContext openContext(UcxContextOptions options) throws UcxException {
        return JucxContext.open(options);
    }
}
