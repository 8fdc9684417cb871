package org.ucxnio.jdk;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import org.ucxnio.counters.Log;

/**
 * Has {@code FileChannel.transferTo} ask us before it does anything. That takes a change of a class of the JDK's, which the agent can make;
 * without it there is nobody who could, and {@code transferTo} stays as it is. Thread-safe.
 */
public final class TransferHook {
    /** What the JDK's method is to do itself. */
    public static final long DECLINED = -1;

    /** Of what is asked: the arguments of {@code transferTo} behind the channel, and what it returns or {@link #DECLINED}. */
    public static final MethodType TYPE =
            methodType(long.class, FileChannel.class, long.class, long.class, WritableByteChannel.class);

    /** Changes the class. */
    public interface Patch {
        /** @throws ReflectiveOperationException where the JDK is not as expected */
        void apply(MethodHandle asked) throws ReflectiveOperationException;
    }

    /** Null for none. */
    private static volatile Patch patch;

    private TransferHook() {}

    /** Who is to make the change, once it is wanted. */
    public static void patchBy(Patch by) {
        patch = by;
    }

    /** Whether the change can be made. */
    public static boolean isPossible() {
        return patch != null;
    }

    /**
     * Makes the change, in some tens of milliseconds. Where it fails nothing changes.
     *
     * @param owner of a static method of {@link #TYPE} that is asked from then on, by whoever transfers files
     */
    public static void install(MethodHandles.Lookup owner, String method) {
        try {
            patch.apply(owner.findStatic(owner.lookupClass(), method, TYPE));
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            Log.debug("Files are sent in pieces, as FileChannel.transferTo cannot be changed: " + e);
        }
    }
}
