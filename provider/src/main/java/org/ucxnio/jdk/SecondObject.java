package org.ucxnio.jdk;

import java.lang.reflect.Constructor;
import sun.reflect.ReflectionFactory;

/**
 * Makes objects as deserialization makes them: by whatever constructor of the class or of one that it extends, accessible or not. Needs the
 * module {@code jdk.unsupported}.
 *
 * <p>A class of its own, as javac warns of {@code sun.reflect} whatever it is told, and is only here allowed to. To call it by reflection
 * costs a process that starts some 8 ms.
 */
public final class SecondObject {
    private SecondObject() {}

    /** Without a call of the class's own constructor. */
    public static Object of(Class<?> type) throws ReflectiveOperationException {
        return of(type, Object.class.getDeclaredConstructor());
    }

    static Object of(Class<?> type, Constructor<?> by, Object... arguments) throws ReflectiveOperationException {
        return ReflectionFactory.getReflectionFactory()
                .newConstructorForSerialization(type, by)
                .newInstance(arguments);
    }
}
