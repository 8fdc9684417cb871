package org.ucxnio.ucx.ffm;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
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

    private TestUcx() {}

    static UcxLibrary library() {
        try {
            return new FfmBackend().load(new UcxLoadOptions(System.getProperty(USED_LIBUCX, ""), ""));
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
