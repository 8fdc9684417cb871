package org.ucxnio.jdk;

import java.util.ArrayList;
import java.util.List;
import org.ucxnio.counters.Log;
import org.ucxnio.posix.Futex;

/**
 * Native functions that a process may do without for a while. Loading them takes a tenth of a second of processor time, and as much again of the
 * compiler's, so a thread of its own does it, when something is first worth that. Thread-safe.
 */
public final class ForeignFunctions implements Runnable {
    /** Null before it is loaded, and where there is none. */
    private static volatile Futex futex;

    // -- guarded by the monitor of the class --

    private static final List<Runnable> WAITING = new ArrayList<>(1);
    private static boolean wanted;

    // -- end --

    private ForeignFunctions() {}

    /** Sleeping on words of shared memory; null as long as it is not loaded, and where there is no way to. Loads nothing. */
    public static Futex futex() {
        return futex;
    }

    /**
     * Has them loaded, and does not wait for that.
     *
     * @param loaded is run by any thread once there is a {@link #futex}, and not at all where that comes to nothing; null for nothing
     */
    public static void load(Runnable loaded) {
        if (isThere(loaded) && loaded != null) {
            loaded.run();
        }
    }

    /** Whether the task is the caller's to run. */
    private static synchronized boolean isThere(Runnable loaded) {
        if (futex != null) {
            return true;
        }
        if (loaded != null) {
            WAITING.add(loaded);
        }
        if (!wanted) {
            wanted = startThread();
        }
        return false;
    }

    /** False where there is none to be had. */
    private static boolean startThread() {
        try {
            OwnThread.of(new ForeignFunctions(), "ucxnio-functions").start();
            return true;
        } catch (RuntimeException | Error e) {
            Log.debug("No thread to load native functions", e);
            return false;
        }
    }

    @Override
    public void run() {
        Futex found = null;
        try {
            found = Natives.futex();
        } catch (RuntimeException | Error e) {
            Log.debug("No native functions", e);
        }
        for (Runnable told : publish(found)) {
            told.run();
        }
    }

    /**
     * Returns whom to tell. Where nothing was found those that wait are forgotten, and the next one has it tried again: descriptors may have
     * been missing.
     */
    private static synchronized List<Runnable> publish(Futex found) {
        futex = found;
        wanted = found != null;
        List<Runnable> told = found == null ? List.of() : List.copyOf(WAITING);
        WAITING.clear();
        return told;
    }
}
