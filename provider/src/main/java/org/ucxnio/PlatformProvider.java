package org.ucxnio;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.channels.spi.SelectorProvider;
import java.util.function.Predicate;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.Natives;
import org.ucxnio.jdk.SecondObject;
import org.ucxnio.jdk.TrustedLookup;

/**
 * Finds the platform's own selector provider, which the JDK no longer gives to anyone once a property names another one.
 *
 * <p>The usual way makes another object of its class, as deserialization makes objects: without a call of the class's own constructor,
 * which is out of reach. That constructor does nothing and the class has no fields, so the object is as good as the JDK's own. Nothing
 * native is loaded for it, and it needs no flag. The other ways are for platforms whose provider has another name and for runtimes
 * without the module {@code jdk.unsupported}.
 */
final class PlatformProvider {
    private static final String PACKAGE = "sun.nio.ch";
    private static final String LINUX = PACKAGE + ".EPollSelectorProvider";
    private static final String HOLDER = PACKAGE + ".DefaultSelectorProvider";

    private PlatformProvider() {}

    /** The platform's provider. */
    static SelectorProvider find() {
        try {
            return make(LINUX);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            Log.debug("No second object of the platform's selector provider: " + e);
            return take(Natives::export);
        }
    }

    /** Another object of a class that has no state. */
    static SelectorProvider make(String name) throws ReflectiveOperationException {
        Class<?> type = Class.forName(name, false, null);
        requireStateless(type);
        return (SelectorProvider) SecondObject.of(type);
    }

    /** Fields that a constructor would have filled would be empty. */
    private static void requireStateless(Class<?> type) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    throw new IllegalStateException(type + " has a state: " + field);
                }
            }
        }
    }

    /**
     * The object that the JDK holds itself.
     *
     * @param export exports a package of {@code java.base} to us
     */
    static SelectorProvider take(Predicate<String> export) {
        try {
            Method get = Class.forName(HOLDER).getMethod("get");
            return (SelectorProvider)
                    (export.test(PACKAGE)
                            ? get.invoke(null)
                            : TrustedLookup.in(get.getDeclaringClass())
                                    .unreflect(get)
                                    .invoke());
        } catch (Throwable e) {
            throw new IllegalStateException(
                    "The platform's own selector provider is out of reach; start the JVM with"
                            + " --enable-native-access=ALL-UNNAMED or --add-exports java.base/sun.nio.ch=ALL-UNNAMED",
                    e);
        }
    }
}
