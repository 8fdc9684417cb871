package org.ucxnio.agent;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import org.ucxnio.counters.Log;

/**
 * What {@code --enable-native-access=ALL-UNNAMED} does. It takes some twenty milliseconds, and few programs need it in their start: done
 * before the first native call.
 */
final class NativeAccess implements Runnable {
    /** A class of its own loader, so of its own unnamed module: what is opened to that one is opened to no program. */
    private static final class Apart extends ClassLoader {
        Apart() {
            super(ClassLoader.getPlatformClassLoader());
        }

        Class<?> copyOf(Class<?> type) throws IOException {
            try (InputStream in = type.getResourceAsStream(type.getSimpleName().concat(".class"))) {
                byte[] classFile = in.readAllBytes();
                return defineClass(type.getName(), classFile, 0, classFile.length);
            }
        }
    }

    private final Instrumentation instrumentation;

    NativeAccess(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /** Where it fails the JVM warns at the first native call, and nothing else changes. */
    @Override
    public void run() {
        try {
            Apart apart = new Apart();
            instrumentation.redefineModule(
                    Object.class.getModule(),
                    Set.of(),
                    Map.of(),
                    Map.of("java.lang", Set.of(apart.getUnnamedModule())),
                    Set.of(),
                    Map.of());
            Class<?> grant = apart.copyOf(Grant.class);
            ((Runnable) grant.getDeclaredConstructor().newInstance()).run();
        } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
            Log.debug("The agent cannot allow native access: " + e);
        }
    }
}
