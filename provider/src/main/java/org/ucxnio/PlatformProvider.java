package org.ucxnio;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.channels.spi.SelectorProvider;
import org.ucxnio.posix.Posix;

/**
 * Finds the platform's own selector provider, which the JDK no longer gives to anyone once a property names another one: the package
 * is exported to us first, by the way of {@code --add-exports} but at run time; on Java versions before the foreign-function API, or
 * where native access is denied, through the trusted lookup.
 */
final class PlatformProvider {
    private static final String PACKAGE = "sun.nio.ch";
    private static final String HOLDER = PACKAGE + ".DefaultSelectorProvider";

    private PlatformProvider() {}

    /** Exports the package; false where that cannot be done. */
    static boolean export(Posix posix) {
        // What channels can do without: see there.
        export(posix, "jdk.internal.access");
        return export(posix, PACKAGE);
    }

    private static boolean export(Posix posix, String name) {
        Module base = Object.class.getModule();
        return base.isExported(name, PlatformProvider.class.getModule())
                || posix != null && posix.exportJavaBasePackage(name);
    }

    /** The platform's provider. */
    static SelectorProvider find(boolean exported) {
        try {
            Class<?> holder = Class.forName(HOLDER);
            Method get = holder.getMethod("get");
            return (SelectorProvider)
                    (exported
                            ? get.invoke(null)
                            : trustedLookup().unreflect(get).invoke());
        } catch (Throwable e) {
            throw new IllegalStateException(
                    "The platform's own selector provider is out of reach; start the JVM with"
                            + " --enable-native-access=ALL-UNNAMED or --add-exports java.base/sun.nio.ch=ALL-UNNAMED",
                    e);
        }
    }

    private static MethodHandles.Lookup trustedLookup() throws ReflectiveOperationException {
        Class<?> unsafeType = Class.forName("sun.misc.Unsafe");
        Field instance = unsafeType.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        Object unsafe = instance.get(null);
        Field lookup = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
        Method base = unsafeType.getMethod("staticFieldBase", Field.class);
        Method offset = unsafeType.getMethod("staticFieldOffset", Field.class);
        Method get = unsafeType.getMethod("getObject", Object.class, long.class);
        return (MethodHandles.Lookup) get.invoke(unsafe, base.invoke(unsafe, lookup), offset.invoke(unsafe, lookup));
    }
}
