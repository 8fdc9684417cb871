package org.ucxnio.bench.micro;

import java.lang.reflect.InvocationTargetException;

/** Makes daemon threads, platform or virtual ones. The benchmarks run on Java 17 as well, which has no virtual ones. */
final class Threads {
    private Threads() {}

    /**
     * A thread that is not started yet.
     *
     * @throws IllegalArgumentException for a virtual one before Java 21
     */
    static Thread unstarted(boolean virtual, String name, Runnable task) {
        Thread thread = virtual ? virtual(task) : new Thread(task);
        thread.setName(name);
        thread.setDaemon(true);
        return thread;
    }

    private static Thread virtual(Runnable task) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (Thread) Class.forName("java.lang.Thread$Builder")
                    .getMethod("unstarted", Runnable.class)
                    .invoke(builder, task);
        } catch (NoSuchMethodException | ClassNotFoundException e) {
            throw new IllegalArgumentException("Virtual threads need Java 21 or later", e);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(e);
        }
    }
}
