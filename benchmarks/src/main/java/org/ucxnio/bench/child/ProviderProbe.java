package org.ucxnio.bench.child;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks the provider what it did. By reflection, because the same program runs on the JDK's provider with no such class
 * on its class path.
 */
public final class ProviderProbe {
    private static final String FACADE = "org.ucxnio.UcxNio";

    private ProviderProbe() {}

    /** The figures of this JVM, {@link Carried#ABSENT} where the provider is not on the class path. */
    public static Carried carried() {
        try {
            Object snapshot = Class.forName(FACADE).getMethod("snapshot").invoke(null);
            return new Carried(
                    true,
                    (Boolean) get(snapshot, "active"),
                    String.valueOf(get(snapshot, "inactiveReason")),
                    number(snapshot, "ringBytesSent"),
                    number(snapshot, "ringBytesReceived"),
                    number(snapshot, "ucxBytesSent"),
                    number(snapshot, "ucxBytesReceived"),
                    number(snapshot, "tcpBytesSent"),
                    number(snapshot, "tcpBytesReceived"),
                    (int) number(snapshot, "ringConnections"),
                    (int) number(snapshot, "acceleratedConnections"),
                    (int) number(snapshot, "plainConnections"),
                    texts(get(snapshot, "lanes")));
        } catch (ClassNotFoundException absent) {
            return Carried.ABSENT;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the provider's snapshot cannot be read", e);
        }
    }

    /** The provider's report in words, or nothing. */
    public static String report() {
        try {
            return String.valueOf(Class.forName(FACADE).getMethod("report").invoke(null));
        } catch (ReflectiveOperationException e) {
            return "";
        }
    }

    private static Object get(Object snapshot, String component) throws ReflectiveOperationException {
        Method accessor = snapshot.getClass().getMethod(component);
        return accessor.invoke(snapshot);
    }

    private static long number(Object snapshot, String component) throws ReflectiveOperationException {
        return ((Number) get(snapshot, component)).longValue();
    }

    private static List<String> texts(Object list) {
        List<String> texts = new ArrayList<>();
        for (Object each : (List<?>) list) {
            texts.add(String.valueOf(each));
        }
        return texts;
    }
}
