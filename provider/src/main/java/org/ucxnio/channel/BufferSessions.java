package org.ucxnio.channel;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.Natives;

/**
 * Keeps the arenas of buffers open while a call that uses them waits: closing one then throws, as it does with the platform's channels.
 * The way to it is the platform's own, in a package exported to us at the first wait with a direct buffer; without it buffers are only
 * checked when they are used. Thread-safe.
 */
final class BufferSessions {
    private static final String PACKAGE = "jdk.internal.access";

    /** The platform's methods, {@code (Buffer)void} each, or null. */
    private static final class Platform {
        static final MethodHandle ACQUIRE = find("acquireSession");
        static final MethodHandle RELEASE = find("releaseSession");

        private static MethodHandle find(String name) {
            try {
                // Where it is not exported, the look-ups below fail.
                Natives.export(PACKAGE);
                Class<?> secrets = Class.forName(PACKAGE + ".SharedSecrets");
                Class<?> nio = Class.forName(PACKAGE + ".JavaNioAccess");
                MethodHandles.Lookup lookup = MethodHandles.lookup();
                Object access = lookup.findStatic(secrets, "getJavaNioAccess", MethodType.methodType(nio))
                        .invoke();
                return lookup.findVirtual(nio, name, MethodType.methodType(void.class, Buffer.class))
                        .bindTo(access);
            } catch (Throwable e) {
                Log.debug("The platform's way to keep arenas open is out of reach: " + e);
                return null;
            }
        }
    }

    private BufferSessions() {}

    /** Finds the way there before the first call that waits. */
    static void load() {
        if (Platform.ACQUIRE == null) {
            Log.debug("Arenas may be closed under calls that wait");
        }
        // The first call links the handles, which takes some milliseconds.
        ByteBuffer[] any = {ByteBuffer.allocateDirect(1)};
        acquire(any, 0, any.length);
        release(any, 0, any.length);
    }

    /** Keeps the arenas of all buffers open until {@link #release} is called for the same ones. */
    static void acquire(ByteBuffer[] buffers, int offset, int length) {
        int done = 0;
        try {
            while (done < length) {
                if (buffers[offset + done].isDirect()) {
                    call(Platform.ACQUIRE, buffers[offset + done]);
                }
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
            if (buffers[i].isDirect()) {
                call(Platform.RELEASE, buffers[i]);
            }
        }
    }

    private static void call(MethodHandle handle, Buffer buffer) {
        if (handle == null) {
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
