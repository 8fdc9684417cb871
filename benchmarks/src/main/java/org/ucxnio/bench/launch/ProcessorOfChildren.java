package org.ucxnio.bench.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Processor time of the processes that this one started and that have ended, as Linux counts it. */
final class ProcessorOfChildren {
    private static final Path STAT = Path.of("/proc/self/stat");
    private static final long MILLIS_PER_TICK = 10;

    /** Positions behind the name, which may have blanks in it: {@code cutime} and {@code cstime} of proc(5). */
    private static final int USER = 13;

    private static final int SYSTEM = 14;

    private ProcessorOfChildren() {}

    /** From their start to their end; the sum is in steps of 10 ms, not its parts. */
    static Duration soFar() throws LaunchException {
        try {
            return parse(Files.readString(STAT));
        } catch (IOException e) {
            throw new LaunchException("cannot read " + STAT + ": " + e.getMessage(), e);
        }
    }

    static Duration parse(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Duration.ofMillis((Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) * MILLIS_PER_TICK);
    }
}
