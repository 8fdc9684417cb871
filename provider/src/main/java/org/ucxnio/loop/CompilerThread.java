package org.ucxnio.loop;

import java.io.File;

/** The thread of the JVM that compiles most: the optimizing compiler's first one, which lives as long as the JVM. Thread-safe. */
public final class CompilerThread {
    private static final String TASKS = "/proc/self/task";

    /** As the kernel has it, which keeps fifteen characters. */
    private static final String NAME = "C2 CompilerThre";

    /** It is one of the first threads of the process. */
    private static final int MOST_TASKS = 64;

    /** Of {@code schedstat}: processor time, and time of waiting for a processor, in nanoseconds. */
    private static final int RAN_FIELD = 0;

    private static final int WAITED_FIELD = 1;

    /** Found at the first use. */
    private static final class Holder {
        /** Null where there is no such thread. */
        static final String STATISTICS = find();

        private static String find() {
            String[] tasks = new File(TASKS).list();
            int count = tasks == null ? 0 : Math.min(tasks.length, MOST_TASKS);
            for (int i = 0; i < count; i++) {
                String task = TASKS.concat("/").concat(tasks[i]);
                if (ProcessorTime.read(task.concat("/comm")).startsWith(NAME)) {
                    return task.concat("/schedstat");
                }
            }
            return null;
        }
    }

    private CompilerThread() {}

    /** How long it has run or has waited for a processor, in nanoseconds, or {@link ProcessorTime#UNKNOWN}. */
    public static long wantedNanos() {
        return Holder.STATISTICS == null ? ProcessorTime.UNKNOWN : wanted(ProcessorTime.read(Holder.STATISTICS));
    }

    static long wanted(String statistics) {
        long ran = ProcessorTime.number(statistics, RAN_FIELD);
        long waited = ProcessorTime.number(statistics, WAITED_FIELD);
        return waited == ProcessorTime.UNKNOWN || ran == ProcessorTime.UNKNOWN ? ProcessorTime.UNKNOWN : ran + waited;
    }
}
