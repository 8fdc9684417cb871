package org.ucxnio.ucx.backend;

import java.util.Map;
import org.ucxnio.posix.ffm.LibC;
import org.ucxnio.testing.ChildJvm;
import org.ucxnio.ucx.UcxContext;
import org.ucxnio.ucx.UcxContextOptions;
import org.ucxnio.ucx.library.LibraryLoader;

/** Loads UCX, then makes the processor fault thousands of times on null, in compiled code. */
public final class EnvironmentMain {
    private static final int WARM_UP = 200_000;
    private static final int NULLS = 5_000;

    private static int checksum;

    private EnvironmentMain() {}

    public static void main(String[] arguments) throws Exception {
        ChildJvm.endWithParent();
        UcxContext context =
                TestUcx.library().openContext(new UcxContextOptions("environment", Map.of("TLS", "posix")));
        System.out.println("transports " + context.transports());
        for (String name : LibraryLoader.ENVIRONMENT.keySet()) {
            System.out.println("env " + name + "=" + LibC.getenv(name));
        }
        String text = "text";
        for (int i = 0; i < WARM_UP; i++) {
            checksum += length(text);
        }
        int caught = 0;
        for (int i = 0; i < NULLS; i++) {
            try {
                checksum += length((i & 1) == 0 ? null : text);
            } catch (NullPointerException e) {
                caught++;
            }
        }
        System.out.println("caught " + caught);
        Thread.sleep(60_000);
    }

    /** Its null check is the processor's. */
    private static int length(String text) {
        return text.length();
    }
}
