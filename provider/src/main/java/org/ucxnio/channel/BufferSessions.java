package org.ucxnio.channel;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.ucxnio.counters.Log;

/**
 * Keeps the arenas of buffers open while a call that uses them waits: closing one then throws, as it does with the platform's channels.
 * The way to it is the platform's own, in a package exported to us at start; without it buffers are only checked when they are used.
 */
final class BufferSessions {
    /** {@code (Buffer)void}, or null. */
    private static final MethodHandle ACQUIRE = find("acquireSession");

    private static final MethodHandle RELEASE = find("releaseSession");

    private BufferSessions() {}

    private static MethodHandle find(String name) {
        try {
            Class<?> secrets = Class.forName("jdk.internal.access.SharedSecrets");
            Class<?> nio = Class.forName("jdk.internal.access.JavaNioAccess");
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Object access = lookup.findStatic(secrets, "getJavaNioAccess", MethodType.methodType(nio))
                    .invoke();
            return lookup.findVirtual(nio, name, MethodType.methodType(void.class, Buffer.class))
                    .bindTo(access);
        } catch (Throwable e) {
            Log.debug("Arenas may be closed under calls that wait: " + e);
            return null;
        }
    }

    /** Keeps the arenas of all buffers open until {@link #release} is called for the same ones. */
    static void acquire(ByteBuffer[] buffers, int offset, int length) {
        int done = 0;
        try {
            while (done < length) {
                call(ACQUIRE, buffers[offset + done]);
                done++;
            }
        } finally {
            if (done < length) {
                release(buffers, offset, done);
            }
        }
    }

    static void release(ByteBuffer[] buffers, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            call(RELEASE, buffers[i]);
        }
    }

    private static void call(MethodHandle handle, Buffer buffer) {
        if (handle == null || !buffer.isDirect()) {
            return;
        }
        try {
            handle.invokeExact(buffer);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
