package org.ucxnio.bench.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.ucxnio.bench.child.AvailabilityMain;
import org.ucxnio.bench.child.Carried;
import org.ucxnio.bench.child.Reporter;

/** Whether connections of this host can go over UCX. */
public final class UcxCheck {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private UcxCheck() {}

    /**
     * Why nothing can be measured over UCX, or empty where it can.
     *
     * @param java where the Java is that would be measured
     * @param flags flags of the JVMs that would be measured
     */
    public static String unavailable(Children children, Path java, List<String> flags)
            throws LaunchException, InterruptedException {
        JvmCommand command =
                new JvmCommand(Provider.UCX).java(java).flags(flags).main(AvailabilityMain.class.getName());
        Child child = children.start("availability", command, text -> {});
        try {
            child.await(Reporter.DONE, TIMEOUT);
            Carried carried = child.transcript().carried();
            return carried.active() ? "" : carried.inactiveReason();
        } finally {
            children.stop(List.of(child));
        }
    }
}
