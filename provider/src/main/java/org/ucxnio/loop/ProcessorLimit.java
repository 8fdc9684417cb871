package org.ucxnio.loop;

import java.nio.file.Path;
import java.util.List;
import org.ucxnio.jdk.ControlGroups;

/** The processor time that this process may use, by its control groups: what a container's limit is. Thread-safe. */
public final class ProcessorLimit {
    /** Where there is no limit. */
    public static final long NONE = Long.MAX_VALUE;

    private static final int PERCENT = 100;

    private ProcessorLimit() {}

    /** In percents of one processor's time, or {@link #NONE}. Reads files of the kernel's where the JVM sees fewer processors than there are. */
    public static long percent() {
        int processors = LoadAverage.processors();
        if (Runtime.getRuntime().availableProcessors() >= processors) {
            return NONE;
        }
        return percent(Path.of("/"), processors);
    }

    /**
     * The least that this process's group and those around it allow, out of the files below a root.
     *
     * @param processors of the machine: as much as these have is no limit
     */
    static long percent(Path root, int processors) {
        ControlGroups groups = new ControlGroups(root, "cpu");
        long least = NONE;
        for (String limit : groups.values("cpu.max")) {
            int blank = limit.indexOf(' ');
            if (blank > 0) {
                least = Math.min(least, percent(limit.substring(0, blank), limit.substring(blank + 1)));
            }
        }
        // A group of version 1 has both files or none of them.
        List<String> quotas = groups.values("cpu.cfs_quota_us");
        List<String> periods = groups.values("cpu.cfs_period_us");
        for (int i = 0; i < Math.min(quotas.size(), periods.size()); i++) {
            least = Math.min(least, percent(quotas.get(i), periods.get(i)));
        }
        return least < (long) PERCENT * processors ? least : NONE;
    }

    private static long percent(String quota, String period) {
        try {
            long time = Long.parseLong(quota);
            long whole = Long.parseLong(period);
            return time > 0 && whole > 0 ? Math.multiplyExact(time, PERCENT) / whole : NONE;
        } catch (NumberFormatException | ArithmeticException e) {
            // "max", or more than there can be.
            return NONE;
        }
    }
}
