package org.ucxnio.ucx.library;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.ucxnio.ucx.UcxLoadOptions;
import org.ucxnio.ucx.UcxUnavailableException;

/** Finds libucp, sets the environment libucs reads in its constructor, loads it. */
public final class LibraryLoader {
    /** The soname first: the name without a number belongs to development packages. */
    private static final List<String> NAMES = List.of("libucp.so.0", "libucp.so");

    private static final List<String> DIRECTORIES = List.of(
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/lib",
            "/usr/local/lib64",
            "/usr/local/lib",
            "/opt/ucx/lib",
            "/opt/mellanox/ucx/lib",
            "/opt/hpcx/ucx/lib");

    /**
     * What has to be set before libucs loads, where the user has not: its constructor takes over the JVM's signal
     * handlers (the first implicit null check would end the process), SIGHUP, the code of mmap and the like, and standard
     * output for its log. It logs errors of its own where nothing is wrong, such as a peer that closed before it was connected
     * to; what matters comes back as a status.
     */
    public static final Map<String, String> ENVIRONMENT = Map.of(
            "UCX_HANDLE_ERRORS", "none",
            "UCX_DEBUG_SIGNO", "0",
            "UCX_MEM_EVENTS", "n",
            "UCX_WARN_UNUSED_ENV_VARS", "n",
            "UCX_LOG_LEVEL", "fatal");

    private static final String LOG_FILE = "UCX_LOG_FILE";
    private static final String INSTALL_HINT = "Install UCX 1.13 or later (package libucx0 on Debian and Ubuntu, ucx on"
            + " Fedora and RHEL), or name the library or its directory with ucxnio.ucx.path";

    private final NativeLoader loader;

    /** @param loader the way to the dynamic linker */
    public LibraryLoader(NativeLoader loader) {
        this.loader = loader;
    }

    /** @throws UcxUnavailableException with the reason a user can act on */
    public LoadedLibrary load(UcxLoadOptions options) throws UcxUnavailableException {
        prepareEnvironment(options.logFile());
        return loadFirst(candidates(options.libraryPath()), options.libraryPath());
    }

    /** The libucp that another library has brought with it. {@link #prepareEnvironment} has to come before that. */
    public LoadedLibrary loaded() throws UcxUnavailableException {
        return loadFirst(NAMES, "");
    }

    private static List<String> candidates(String libraryPath) throws UcxUnavailableException {
        if (libraryPath.isEmpty()) {
            return Stream.concat(NAMES.stream(), DIRECTORIES.stream().flatMap(LibraryLoader::inDirectory))
                    .toList();
        }
        Path path;
        try {
            path = Path.of(libraryPath).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new UcxUnavailableException("'" + libraryPath + "' is not a path: " + e.getMessage(), e);
        }
        if (!Files.exists(path)) {
            throw new UcxUnavailableException(
                    "There is no file or directory '" + libraryPath + "'. " + INSTALL_HINT + ".");
        }
        if (!Files.isDirectory(path)) {
            return List.of(path.toString());
        }
        List<String> found = inDirectory(path.toString()).toList();
        if (found.isEmpty()) {
            throw new UcxUnavailableException(
                    "The directory '" + libraryPath + "' holds no libucp.so.0. " + INSTALL_HINT + ".");
        }
        return found;
    }

    private static Stream<String> inDirectory(String directory) {
        return NAMES.stream()
                .map(name -> Path.of(directory, name))
                .filter(Files::exists)
                .map(Path::toString);
    }

    /** Sets what libucs reads as it is loaded, where the user has not. */
    public void prepareEnvironment(String logFile) {
        ENVIRONMENT.forEach(this::setIfUnset);
        setIfUnset(LOG_FILE, logFile.isEmpty() ? "stderr" : logFile);
    }

    private void setIfUnset(String name, String value) {
        // The C environment counts, not System.getenv: an agent or a launcher may have changed it since start.
        if (loader.getenv(name) == null) {
            loader.setenv(name, value);
        }
    }

    private LoadedLibrary loadFirst(List<String> candidates, String libraryPath) throws UcxUnavailableException {
        String firstError = null;
        String explained = null;
        for (String candidate : candidates) {
            long handle = loader.load(candidate);
            if (handle != 0) {
                return LoadedLibrary.of(loader, handle, candidate);
            }
            String error = loader.loadError();
            firstError = firstError == null ? error : firstError;
            if (explained == null && candidate.indexOf('/') >= 0) {
                // A file that exists and yet does not load says more than a name that is nowhere.
                explained = explain(Path.of(candidate), error);
            }
        }
        if (explained != null) {
            throw new UcxUnavailableException(explained);
        }
        throw new UcxUnavailableException("libucp, the library of UCX, was not found"
                + (libraryPath.isEmpty() ? "" : " at '" + libraryPath + "'")
                + " (" + firstError + "). " + INSTALL_HINT + ".");
    }

    private static String explain(Path file, String loadError) {
        String machine = foreignMachine(file);
        if (machine != null) {
            return "'" + file + "' is built for " + machine + ", this Java for " + System.getProperty("os.arch") + ".";
        }
        return "'" + file + "' could not be loaded: " + loadError + ".";
    }

    /** The machine a library is built for, in words, where that is not this one; null where it is or cannot be told. */
    private static String foreignMachine(Path file) {
        byte[] head;
        try (InputStream in = Files.newInputStream(file)) {
            head = in.readNBytes(20);
        } catch (IOException e) {
            return null;
        }
        if (head.length < 20 || head[0] != 0x7f || head[1] != 'E' || head[2] != 'L' || head[3] != 'F') {
            return "no machine at all (it is not an ELF library)";
        }
        // ELF header: e_ident[EI_CLASS] at 4 (2 is 64-bit), e_ident[EI_DATA] at 5 (1 is little-endian), e_machine at
        // 18.
        boolean little = head[5] == 1;
        int machine = ByteBuffer.wrap(head)
                .order(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN)
                .getShort(18);
        String name = switch (machine) {
            case 3 -> "x86";
            case 21 -> "ppc64";
            case 62 -> "amd64";
            case 183 -> "aarch64";
            case 243 -> "riscv64";
            default -> "ELF machine " + machine;
        };
        String own = System.getProperty("os.arch").equals("x86_64") ? "amd64" : System.getProperty("os.arch");
        boolean comparable =
                List.of("amd64", "aarch64", "riscv64", "x86", "ppc64").contains(own);
        return !comparable || (name.equals(own) && head[4] == 2) ? null : name + (head[4] == 2 ? "" : " (32-bit)");
    }
}
