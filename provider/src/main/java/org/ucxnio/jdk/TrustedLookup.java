package org.ucxnio.jdk;

import java.lang.invoke.MethodHandles;

/**
 * Lookups in classes of the JDK, private members included, as the JDK makes them for itself. Needs the module {@code jdk.unsupported}, and
 * no flag; says nothing.
 */
public final class TrustedLookup {
    private TrustedLookup() {}

    /** What reaches all that the class itself does. Not for classes of {@code java.lang.invoke}. */
    public static MethodHandles.Lookup in(Class<?> type) throws ReflectiveOperationException {
        Class<MethodHandles.Lookup> lookup = MethodHandles.Lookup.class;
        // MethodHandles.Lookup(Class<?> lookupClass): the one with the least arguments, as each costs time at first.
        return (MethodHandles.Lookup) SecondObject.of(lookup, lookup.getDeclaredConstructor(Class.class), type);
    }
}
