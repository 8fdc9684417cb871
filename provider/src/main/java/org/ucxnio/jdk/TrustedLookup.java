package org.ucxnio.jdk;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * The JDK's own lookup, which reaches everything, by way of {@code sun.misc.Unsafe}. Needs the module {@code jdk.unsupported}. Silent up to
 * Java 23; later ones print a warning of their own.
 */
public final class TrustedLookup {
    private TrustedLookup() {}

    public static MethodHandles.Lookup get() throws ReflectiveOperationException {
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
