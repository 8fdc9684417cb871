package org.ucxnio;

import sun.reflect.ReflectionFactory;

/**
 * Makes objects as deserialization makes them: without a call of their class's own constructor.
 *
 * <p>A class of its own, as javac warns of {@code sun.reflect} whatever it is told, and is only here allowed to. To call it by reflection
 * costs a process that starts some 8 ms.
 */
final class SecondObject {
    private SecondObject() {}

    static Object of(Class<?> type) throws ReflectiveOperationException {
        return ReflectionFactory.getReflectionFactory()
                .newConstructorForSerialization(type, Object.class.getDeclaredConstructor())
                .newInstance();
    }
}
