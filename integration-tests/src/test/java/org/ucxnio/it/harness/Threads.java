package org.ucxnio.it.harness;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.TimeUnit;

/** Threads of tests and programs, which run on Java 17 as well. */
public final class Threads {
    /** {@code Thread.startVirtualThread}; null where there is none. */
    private static final MethodHandle START_VIRTUAL = find();

    private Threads() {}

    private static MethodHandle find() {
        if (Runtime.version().feature() < 21) {
            return null;
        }
        try {
            return MethodHandles.publicLookup()
                    .findStatic(
                            Thread.class, "startVirtualThread", MethodType.methodType(Thread.class, Runnable.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Thread.startVirtualThread", e);
        }
    }

    /** Starts a platform thread that keeps no JVM alive. */
    public static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    public static boolean canBeVirtual() {
        return START_VIRTUAL != null;
    }

    /** Starts a virtual thread; on Java 17 a daemon in its place. */
    public static Thread virtual(String name, Runnable work) {
        if (START_VIRTUAL == null) {
            return daemon(name, work);
        }
        try {
            return (Thread) START_VIRTUAL.invokeExact((Runnable) () -> {
                Thread.currentThread().setName(name);
                work.run();
            });
        } catch (Throwable e) {
            throw new LinkageError("Thread.startVirtualThread", e);
        }
    }

    /** Waits for a thread's end; returns whether it has come. */
    public static boolean join(Thread thread, long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.timedJoin(thread, nanos);
        return !thread.isAlive();
    }
}
