package org.ucxnio.loop;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntSupplier;
import org.ucxnio.counters.Log;

/**
 * The number of threads that run or wait for a processor, as {@code /proc/loadavg} has it in its fourth field:
 * {@code 0.20 0.18 0.12 3/280 11206}. For one thread at a time.
 *
 * <p>The file stays open, which makes a look two system calls. It is no channel: an interrupt, which is for the caller, would close one.
 */
final class LoadAverage implements IntSupplier {
    static final int UNKNOWN = -1;

    private static final String KERNEL_FILE = "/proc/loadavg";
    private static final String ONLINE = "/sys/devices/system/cpu/online";

    /** Three averages with two decimals each, the number, and a slash. */
    private static final int LONGEST = 64;

    private static final int FIELDS_BEFORE = 3;

    private final String path;
    private final byte[] line = new byte[LONGEST];

    /** 0 until somebody asks. Whoever asks at the same time finds the same. */
    private static int processors;

    /** Null before the first look and once it cannot be read. */
    private RandomAccessFile file;

    private boolean unreadable;

    LoadAverage() {
        this(KERNEL_FILE);
    }

    LoadAverage(String path) {
        this.path = path;
    }

    @Override
    public int getAsInt() {
        if (unreadable) {
            return UNKNOWN;
        }
        try {
            if (file == null) {
                file = new RandomAccessFile(path, "r");
            }
            file.seek(0);
            return parse(line, file.read(line));
        } catch (IOException | RuntimeException e) {
            Log.debug("It is not known whether processors are free: " + e);
            giveUp();
            return UNKNOWN;
        }
    }

    private void giveUp() {
        unreadable = true;
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                Log.debug(path + " is left open: " + e);
            }
            file = null;
        }
    }

    /** The number before the slash, or {@link #UNKNOWN}. */
    static int parse(byte[] line, int length) {
        int at = 0;
        for (int fields = 0; at < length && fields < FIELDS_BEFORE; at++) {
            fields += line[at] == ' ' ? 1 : 0;
        }
        int number = 0;
        int first = at;
        while (at < length && line[at] >= '0' && line[at] <= '9' && at - first < 9) {
            number = number * 10 + line[at++] - '0';
        }
        return at > first && at < length && line[at] == '/' ? number : UNKNOWN;
    }

    /** The processors that share the threads of {@code /proc/loadavg}: those of the machine, more than a container may use. Read once. */
    static int processors() {
        int known = processors;
        if (known == 0) {
            known = readProcessors();
            processors = known;
        }
        return known;
    }

    private static int readProcessors() {
        int own = Runtime.getRuntime().availableProcessors();
        try {
            return Math.max(own, count(Files.readString(Path.of(ONLINE), StandardCharsets.US_ASCII)));
        } catch (IOException | RuntimeException e) {
            return own;
        }
    }

    /** Members of a list of ranges such as {@code 0-3,8}. */
    static int count(String ranges) {
        int count = 0;
        for (String range : ranges.trim().split(",")) {
            int dash = range.indexOf('-');
            count += dash < 0
                    ? 1
                    : Integer.parseInt(range.substring(dash + 1)) - Integer.parseInt(range.substring(0, dash)) + 1;
        }
        return count;
    }
}
