package org.ucxnio.jdk;

import java.io.FileDescriptor;
import java.io.IOException;
import java.nio.channels.SelectableChannel;
import org.ucxnio.counters.Log;

/**
 * What the platform's selectors know of the platform's channels. The first use that needs it exports {@code sun.nio.ch} to us, see
 * {@link Natives}. Thread-safe.
 */
public final class Descriptors {
    /** Whether {@link PlatformChannels} can be used. */
    private static volatile boolean exported;

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
            requireExport();
            PlatformChannels.kill(channel);
        } catch (IOException | LinkageError | ClassCastException e) {
            Log.warnOnce(
                    "kill " + channel.getClass(),
                    "The descriptor of a closed " + channel.getClass() + " is left behind: " + e);
        }
    }

    /** The descriptor of a channel of the platform's; the caller keeps the channel open as long as it uses it. */
    public static int of(SelectableChannel channel) throws IOException {
        requireExport();
        try {
            return PlatformChannels.number(channel);
        } catch (LinkageError | ClassCastException e) {
            throw new IOException("No descriptor of " + channel.getClass(), e);
        }
    }

    /** The number of an open file, as long as it is open. */
    public static int of(FileDescriptor descriptor) throws IOException {
        requireExport();
        try {
            return PlatformChannels.number(descriptor);
        } catch (LinkageError e) {
            throw new IOException("No number of a descriptor", e);
        }
    }

    /** From now on a call that would wait fails. */
    public static void neverBlock(FileDescriptor descriptor) throws IOException {
        requireExport();
        try {
            PlatformChannels.configureBlocking(descriptor, false);
        } catch (LinkageError e) {
            throw new IOException("A descriptor stays in blocking mode", e);
        }
    }

    private static void requireExport() throws IOException {
        if (exported) {
            return;
        }
        if (!Natives.export("sun.nio.ch")) {
            throw new IOException("sun.nio.ch is not exported: "
                    + (Natives.unavailable() == null ? "refused" : Natives.unavailable()));
        }
        exported = true;
    }
}
