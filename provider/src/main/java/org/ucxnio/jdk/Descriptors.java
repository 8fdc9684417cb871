package org.ucxnio.jdk;

import java.io.FileDescriptor;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.channels.SelectableChannel;
import org.ucxnio.counters.Log;

/**
 * What the platform's selectors know of the platform's channels. The first use that needs it exports {@code sun.nio.ch} to us, see
 * {@link Natives}. Thread-safe.
 */
public final class Descriptors {
    /** The methods of the platform's interface of channels, which is public in a package that is not exported. */
    private static final class Platform {
        /** Null before the first use, and as long as the package is out of reach. */
        private static volatile Platform found;

        private final Method fd;
        private final Method kill;
        private final Method number;
        private final Method configureBlocking;

        private Platform(Method fd, Method kill, Method number, Method configureBlocking) {
            this.fd = fd;
            this.kill = kill;
            this.number = number;
            this.configureBlocking = configureBlocking;
        }

        /** Null where the package is out of reach. */
        private static Platform find() {
            if (!Natives.export("sun.nio.ch")) {
                return null;
            }
            try {
                Class<?> type = Class.forName("sun.nio.ch.SelChImpl");
                Class<?> util = Class.forName("sun.nio.ch.IOUtil");
                return new Platform(
                        type.getMethod("getFDVal"),
                        type.getMethod("kill"),
                        util.getMethod("fdVal", FileDescriptor.class),
                        util.getMethod("configureBlocking", FileDescriptor.class, boolean.class));
            } catch (ReflectiveOperationException e) {
                Log.warn("The platform's channels are not as expected: " + e);
                return null;
            }
        }

        static Platform require() throws ReflectiveOperationException {
            Platform known = found;
            if (known == null) {
                known = find();
                found = known;
            }
            if (known == null) {
                throw new IllegalAccessException("sun.nio.ch is not exported: "
                        + (Natives.unavailable() == null ? "refused" : Natives.unavailable()));
            }
            return known;
        }
    }

    private Descriptors() {}

    /**
     * Gives back the descriptor of a channel that was closed while it was registered, once no selector has it any more, as the
     * platform's selectors do for the last key of a channel. Loads nothing native for a channel that is open or still registered.
     */
    public static void releaseIfClosed(SelectableChannel channel) {
        if (channel.isOpen() || channel.isRegistered()) {
            return;
        }
        try {
            Platform.require().kill.invoke(channel);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            Log.warnOnce(
                    "kill " + channel.getClass(),
                    "The descriptor of a closed " + channel.getClass() + " is left behind: " + e);
        }
    }

    /** The descriptor of a channel of the platform's; the caller keeps the channel open as long as it uses it. */
    public static int of(SelectableChannel channel) throws IOException {
        try {
            return (int) Platform.require().fd.invoke(channel);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IOException("No descriptor of " + channel.getClass(), e);
        }
    }

    /** The number of an open file, as long as it is open. */
    public static int of(FileDescriptor descriptor) throws IOException {
        try {
            return (int) Platform.require().number.invoke(null, descriptor);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IOException("No number of a descriptor", e);
        }
    }

    /** From now on a call that would wait fails. */
    public static void neverBlock(FileDescriptor descriptor) throws IOException {
        try {
            Platform.require().configureBlocking.invoke(null, descriptor, false);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IOException("A descriptor stays in blocking mode", e);
        }
    }
}
