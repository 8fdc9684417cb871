package org.ucxnio.connect;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.channels.SelectableChannel;

/** Descriptors of the platform's channels; reachable since the provider had sun.nio.ch exported to itself. */
public final class Descriptors {
    private static final Method GET_FD = find();

    private Descriptors() {}

    private static Method find() {
        try {
            return Class.forName("sun.nio.ch.SelChImpl").getMethod("getFDVal");
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static int of(SelectableChannel channel) throws IOException {
        try {
            return (int) GET_FD.invoke(channel);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IOException("No descriptor of " + channel.getClass(), e);
        }
    }
}
