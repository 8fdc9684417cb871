package org.ucxnio.connect;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.channels.SelectableChannel;
import org.ucxnio.counters.Log;

/** What the platform's selectors know of the platform's channels; reachable since the provider had sun.nio.ch exported to itself. */
public final class Descriptors {
    private static final Method GET_FD = find("getFDVal");
    private static final Method KILL = find("kill");

    private Descriptors() {}

    private static Method find(String name) {
        try {
            return Class.forName("sun.nio.ch.SelChImpl").getMethod(name);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * Gives back the descriptor of a channel that was closed while it was registered, once no selector has it any more, as the
     * platform's selectors do for the last key of a channel.
     */
    public static void releaseIfClosed(SelectableChannel channel) {
        if (channel.isOpen() || channel.isRegistered()) {
            return;
        }
        try {
            KILL.invoke(channel);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            Log.warn("The descriptor of a closed " + channel.getClass() + " is left behind: " + e);
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
