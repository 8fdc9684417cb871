package org.ucxnio.ucx.backend;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Assumptions;
import org.ucxnio.testing.ChildJvm;
import org.ucxnio.ucx.UcxBackend;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.UcxException;
import org.ucxnio.ucx.UcxLibrary;
import org.ucxnio.ucx.UcxLoadOptions;
import org.ucxnio.ucx.UcxUnavailableException;

/** The libucp of the test process; tests that need it are skipped where it is missing. */
final class TestUcx {
    /** Directory of another libucx that the same tests are run with, in a JVM of its own. */
    static final String OTHER_LIBUCX = "ucxnio.test.libucx";

    /** The library this process uses; the system's if empty. */
    static final String USED_LIBUCX = "ucxnio.test.libucx.used";

    /** Name of the backend this process uses; {@code ffm} if not set. */
    static final String USED_BACKEND = "ucxnio.test.backend";

    private TestUcx() {}

    /** Flags for a JVM that shall use the same backend and the same libucx. */
    static List<String> flags() {
        return flags(backendName());
    }

    /** Flags for a JVM that shall use another backend and the same libucx. */
    static List<String> flags(String backend) {
        return List.of(
                ChildJvm.NATIVE_ACCESS,
                "-D" + USED_BACKEND + "=" + backend,
                "-D" + USED_LIBUCX + "=" + System.getProperty(USED_LIBUCX, ""),
                // Where JUCX looks by itself.
                "-Djava.library.path=" + System.getProperty(USED_LIBUCX, ""));
    }

    static String backendName() {
        return System.getProperty(USED_BACKEND, "ffm");
    }

    private static UcxBackend backend() {
        for (UcxBackend candidate : ServiceLoader.load(UcxBackend.class)) {
            if (candidate.name().equals(backendName())) {
                return candidate;
            }
        }
        throw new AssertionError("no backend " + backendName());
    }

    static UcxLibrary library() {
        try {
            return backend().load(new UcxLoadOptions(System.getProperty(USED_LIBUCX, ""), ""));
        } catch (UcxUnavailableException e) {
            Assumptions.abort("no libucx here: " + e.getMessage());
            throw new AssertionError(e);
        }
    }

    /** A context with what the provider sets, over the given transports. */
    static UcxContext context(String transports, String... moreConfig) throws UcxException {
        Map<String, String> config = new HashMap<>(Map.of(
                "TLS", transports,
                "MM_ERROR_HANDLING", "y",
                "RNDV_THRESH", "inf",
                "MAX_EAGER_LANES", "1",
                "KEEPALIVE_INTERVAL", "200ms",
                "MM_RX_BUFS_GROW", "128"));
        for (int i = 0; i < moreConfig.length; i += 2) {
            config.put(moreConfig[i], moreConfig[i + 1]);
        }
        return library().openContext(new UcxContextOptions("test", config));
    }
}
