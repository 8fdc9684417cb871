package org.ucxnio.loop;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.ucxnio.counters.Log;

/** The thread of the JVM that compiles most: the optimizing compiler's first one, which lives as long as the JVM. Thread-safe. */
public final class CompilerThread {
    private static final String TASKS = "/proc/self/task";

    /** As the kernel has it, which keeps fifteen characters. */
    private static final String NAME = "C2 CompilerThre";

    /** It is one of the first threads of the process. */
    private static final int MOST_TASKS = 64;

    private static final int LONGEST = 128;

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
                if (read(task.concat("/comm")).startsWith(NAME)) {
                    return task.concat("/schedstat");
                }
            }
            return null;
        }
    }

    private CompilerThread() {}

    /** How long it has run or has waited for a processor, in nanoseconds, or {@link ProcessorTime#UNKNOWN}. */
    public static long wantedNanos() {
        return Holder.STATISTICS == null ? ProcessorTime.UNKNOWN : wanted(read(Holder.STATISTICS));
    }

    static long wanted(String statistics) {
        String[] fields = statistics.strip().split(" ");
        try {
            return fields.length > WAITED_FIELD
                    ? Long.parseLong(fields[RAN_FIELD]) + Long.parseLong(fields[WAITED_FIELD])
                    : ProcessorTime.UNKNOWN;
        } catch (NumberFormatException e) {
            return ProcessorTime.UNKNOWN;
        }
    }

    private static String read(String path) {
        try (FileInputStream in = new FileInputStream(path)) {
            byte[] line = new byte[LONGEST];
            return new String(line, 0, Math.max(0, in.read(line)), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            Log.debug("It is not known how much the JVM compiles: " + e.getMessage());
            return "";
        }
    }
}
