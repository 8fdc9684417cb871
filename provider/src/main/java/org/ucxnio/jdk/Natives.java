package org.ucxnio.jdk;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.ucxnio.counters.Log;
import org.ucxnio.counters.SpareDescriptors;
import org.ucxnio.posix.Futex;
import org.ucxnio.posix.KernelCalls;
import org.ucxnio.posix.Posix;

/**
 * The operating system's services. What connections of one host need comes from the JDK's own classes, at the first call and once, in some ten
 * milliseconds. Native functions are loaded only for what cannot be done without them, UCX and futexes, or where the JDK is not as expected:
 * that takes ten times as long, and the JVM may print its warning about native access then. Thread-safe.
 */
public final class Natives {
    /** The first with the foreign-function API. */
    private static final int FIRST_WITH_FOREIGN_FUNCTIONS = 22;

    private static final String NO_WAY = "no way to call native code in this JVM";

    /**
     * @param calls null where there are none
     * @param unavailable why there are none, or null
     */
    private record Found(KernelCalls calls, String unavailable) {
        /** For the moment: not kept. */
        static final Found LATER = nothing("no descriptors are left to load native code with");

        static Found nothing(String reason) {
            return new Found(null, reason);
        }

        /** Loaded without descriptors, classes of the JDK that call native code would be broken for the life of the process. */
        private static Found loadForeign() {
            if (!SpareDescriptors.exist()) {
                return LATER;
            }
            Runnable task = permission;
            if (task != null) {
                task.run();
            }
            List<KernelCalls> found = implementations(KernelCalls.class);
            if (found.isEmpty()) {
                return nothing(NO_WAY);
            }
            try {
                // Any call shows whether calls are allowed.
                found.get(0).unreadBytes(-1);
                return new Found(found.get(0), null);
            } catch (RuntimeException | LinkageError e) {
                Log.debug("No native calls: " + e);
                return nothing("native access is denied; start the JVM with --enable-native-access=ALL-UNNAMED");
            }
        }

        /** As {@link #loadForeign}. */
        private static Found loadJdks() {
            if (!SpareDescriptors.exist()) {
                return LATER;
            }
            try {
                return new Found(new JdkKernelCalls(), null);
            } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
                Log.debug("No way to the JDK's own calls: " + e);
                return nothing(NO_WAY);
            }
        }
    }

    /** Null before the first use; those of native functions from when they are loaded. */
    private static volatile Found loaded;

    /** What became of native functions; null before they were wanted. Written with the monitor held. */
    private static volatile Found foreign;

    /** Null for none. */
    private static volatile Runnable permission;

    private Natives() {}

    /** Has a task run before native functions are loaded, which gets the JVM's leave for it. */
    public static void permitBy(Runnable task) {
        permission = task;
    }

    private static Found found() {
        Found known = loaded;
        return known == null ? load() : known;
    }

    private static synchronized Found load() {
        if (loaded == null) {
            Found found = find();
            if (found == Found.LATER) {
                return Found.LATER;
            }
            loaded = found;
        }
        return loaded;
    }

    private static Found find() {
        String ruledOut = ruledOut();
        if (ruledOut != null) {
            return Found.nothing(ruledOut);
        }
        Found jdks = Found.loadJdks();
        return jdks.calls == null && jdks != Found.LATER && hasForeignFunctions() ? foreign() : jdks;
    }

    private static Found foreign() {
        Found known = foreign;
        return known == null ? loadForeign() : known;
    }

    private static synchronized Found loadForeign() {
        if (foreign == null) {
            Found found = Found.loadForeign();
            if (found == Found.LATER) {
                return Found.LATER;
            }
            foreign = found;
            if (found.calls != null) {
                loaded = found;
            }
        }
        return foreign;
    }

    /** Why nothing native can be called, as far as that is known without a try; null where a try is worth it. Loads nothing. */
    public static String ruledOut() {
        String system = System.getProperty("os.name");
        return system.equals("Linux") ? null : "ucxnio runs on Linux, not on " + system;
    }

    /** Whether this is a Java that can call any native function: with it there is a futex, and UCX. Loads nothing. */
    public static boolean hasForeignFunctions() {
        return Runtime.version().feature() >= FIRST_WITH_FOREIGN_FUNCTIONS;
    }

    /** What connections ask the kernel, or null where nobody can. */
    public static KernelCalls calls() {
        return found().calls;
    }

    /** Why {@link #calls} gives null, or null where it does not. */
    public static String unavailable() {
        return found().unavailable;
    }

    /** Loads native functions; null where there are none, or none with a futex. */
    static Futex futex() {
        if (ruledOut() != null || !hasForeignFunctions()) {
            return null;
        }
        KernelCalls calls = foreign().calls;
        return calls == null ? null : calls.futex();
    }

    /** How threads wait for UCX, or null where nothing can be called or no implementation runs here. Loads it. */
    public static Posix posix() {
        if (posixUnavailable() != null) {
            return null;
        }
        // The first is the one over foreign functions, where there are any.
        List<Posix> found = implementations(Posix.class);
        return found.isEmpty() ? null : found.get(0);
    }

    /** Why no native function can be called, or null where one may be. Loads them. */
    public static String posixUnavailable() {
        String ruledOut = ruledOut();
        return ruledOut == null && hasForeignFunctions() ? foreign().unavailable : ruledOut;
    }

    /**
     * Exports a package of {@code java.base} to us. Loads what {@link #calls} loads only where the package is not exported already.
     *
     * @return whether it is exported now
     */
    public static boolean export(String packageName) {
        if (Object.class.getModule().isExported(packageName, Natives.class.getModule())) {
            return true;
        }
        KernelCalls calls = calls();
        return calls != null && calls.exportJavaBasePackage(packageName);
    }

    /** Implementations of a service that can run on this JVM; those compiled for a later one do not load. */
    public static <T> List<T> implementations(Class<T> type) {
        List<T> found = new ArrayList<>();
        Iterator<T> candidates =
                ServiceLoader.load(type, Natives.class.getClassLoader()).iterator();
        while (true) {
            try {
                if (!candidates.hasNext()) {
                    return found;
                }
                found.add(candidates.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                Log.debug("Not usable here: " + e);
            }
        }
    }
}
