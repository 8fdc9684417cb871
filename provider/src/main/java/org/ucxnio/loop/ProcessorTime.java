package org.ucxnio.loop;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.ucxnio.counters.Log;

/** Where processor time goes, as files of the kernel's have it in hundredths of a second. Thread-safe. */
public final class ProcessorTime {
    /** Where nobody knows. */
    public static final long UNKNOWN = -1;

    private static final String PROCESS = "/proc/self/stat";
    private static final String MACHINE = "/proc/uptime";

    /** Linux tells programs of hundredths of a second, whatever its clock does. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    // Of those behind the name in parentheses, which may hold anything.
    private static final int PROGRAM_FIELD = 11;
    private static final int KERNEL_FIELD = 12;

    private static final int IDLE_FIELD = 1;
    private static final int LONGEST = 1024;

    private ProcessorTime() {}

    /**
     * What a process has used.
     *
     * @param allNanos with what the kernel has done for it, or {@link #UNKNOWN}
     * @param kernelNanos what the kernel has done for it, or {@link #UNKNOWN}
     */
    public record OfProcess(long allNanos, long kernelNanos) {}

    /** What this process has used so far. */
    public static OfProcess ofThisProcess() {
        String line = read(PROCESS);
        String fields = line.substring(line.lastIndexOf(')') + 1);
        long kernel = field(fields, KERNEL_FIELD);
        return new OfProcess(kernel == UNKNOWN ? UNKNOWN : kernel + field(fields, PROGRAM_FIELD), kernel);
    }

    /** What all processors of the machine have not used, in nanoseconds, or {@link #UNKNOWN}. */
    public static long idle() {
        return field(read(MACHINE), IDLE_FIELD);
    }

    /** The beginning of a file of the kernel's; empty where it cannot be read. */
    static String read(String path) {
        try (FileInputStream in = new FileInputStream(path)) {
            byte[] line = new byte[LONGEST];
            return new String(line, 0, Math.max(0, in.read(line)), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            Log.debug("It is not known where processor time goes: " + e.getMessage());
            return "";
        }
    }

    /** A field of hundredths of a second, with or without a point before the last two digits, in nanoseconds. */
    static long field(String line, int number) {
        long ticks = number(line.replace(".", ""), number);
        return ticks == UNKNOWN ? UNKNOWN : ticks * TICK_NANOS;
    }

    /** A field of digits, or {@link #UNKNOWN}. */
    static long number(String line, int number) {
        String[] fields = line.strip().split(" ");
        try {
            return number < fields.length ? Long.parseLong(fields[number]) : UNKNOWN;
        } catch (NumberFormatException e) {
            return UNKNOWN;
        }
    }
}
