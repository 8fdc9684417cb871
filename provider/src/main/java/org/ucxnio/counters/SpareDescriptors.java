package org.ucxnio.counters;

import java.io.FileInputStream;
import java.io.IOException;

/**
 * Whether this process has descriptors to spare. To be asked before something is loaded that opens files, and that stays broken for the
 * life of the process where it cannot: logging, native code. Thread-safe.
 */
public final class SpareDescriptors {
    /** More than is open at a time while such things are loaded. */
    private static final int MOST = 16;

    private SpareDescriptors() {}

    /** Loads this class. */
    static void load() {
        // Done by the call.
    }

    /** Takes some and gives them back. */
    public static boolean exist() {
        FileInputStream[] taken = new FileInputStream[MOST];
        try {
            for (int i = 0; i < taken.length; i++) {
                taken[i] = new FileInputStream("/dev/null");
            }
            return true;
        } catch (IOException e) {
            return false;
        } finally {
            for (FileInputStream each : taken) {
                close(each);
            }
        }
    }

    private static void close(FileInputStream file) {
        if (file != null) {
            try {
                file.close();
            } catch (IOException e) {
                // Nothing was written to it.
            }
        }
    }
}
