package org.ucxnio.jdk;

/** Threads in the background that are no matter of the application whose call happens to bring them about. */
public final class OwnThread {
    private OwnThread() {}

    /** A daemon, not started, that has nothing of the calling thread: neither its inheritable values nor its class loader. */
    public static Thread of(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(OwnThread.class.getClassLoader());
        return thread;
    }
}
