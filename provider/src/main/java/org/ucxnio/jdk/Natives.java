package org.ucxnio.jdk;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.ucxnio.counters.Log;
import org.ucxnio.counters.SpareDescriptors;
import org.ucxnio.posix.Posix;

/**
 * The operating system's services, loaded at the first call and once. The first call may take some ten milliseconds, and the JVM may
 * print its warning about native access then. Thread-safe.
 */
public final class Natives {
    /** The first with the foreign-function API. */
    private static final int FIRST_JAVA = 22;

    private static final class Holder {
        final Posix posix;
        final String unavailable;

        private Holder(Posix posix, String unavailable) {
            this.posix = posix;
            this.unavailable = unavailable;
        }

        private static Holder load() {
            if (ruledOut() != null) {
                return new Holder(null, ruledOut());
            }
            List<Posix> found = implementations(Posix.class);
            if (found.isEmpty()) {
                return new Holder(null, "no way to call native code in this JVM");
            }
            try {
                // Any call shows whether calls are allowed.
                found.get(0).effectiveUserId();
                return new Holder(found.get(0), null);
            } catch (RuntimeException | LinkageError e) {
                Log.debug("No native calls: " + e);
                return new Holder(
                        null, "native access is denied; start the JVM with --enable-native-access=ALL-UNNAMED");
            }
        }
    }

    /** For the moment: not kept. */
    private static final Holder LATER = new Holder(null, "no descriptors are left to load native code with");

    /** Null before the first use. */
    private static volatile Holder loaded;

    private Natives() {}

    private static Holder holder() {
        Holder known = loaded;
        return known == null ? load() : known;
    }

    /** Loaded without descriptors, classes of the JDK that call native code would be broken for the life of the process. */
    private static synchronized Holder load() {
        if (loaded == null) {
            if (!SpareDescriptors.exist()) {
                return LATER;
            }
            loaded = Holder.load();
        }
        return loaded;
    }

    /** Why no native code can be called, as far as that is known without a try; null where a try is worth it. Loads nothing. */
    public static String ruledOut() {
        String system = System.getProperty("os.name");
        if (!system.equals("Linux")) {
            return "ucxnio runs on Linux, not on " + system;
        }
        int feature = Runtime.version().feature();
        return feature >= FIRST_JAVA
                ? null
                : "native access needs Java " + FIRST_JAVA
                        + " or later and --enable-native-access=ALL-UNNAMED (this is Java " + feature + ")";
    }

    /** The operating system's services, or null where no native code can be called. */
    public static Posix posix() {
        return holder().posix;
    }

    /** Why {@link #posix} gives null, or null where it does not. */
    public static String unavailable() {
        return holder().unavailable;
    }

    /**
     * Exports a package of {@code java.base} to us. Loads native code only where the package is not exported already.
     *
     * @return whether it is exported now
     */
    public static boolean export(String packageName) {
        if (Object.class.getModule().isExported(packageName, Natives.class.getModule())) {
            return true;
        }
        Posix posix = posix();
        return posix != null && posix.exportJavaBasePackage(packageName);
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
