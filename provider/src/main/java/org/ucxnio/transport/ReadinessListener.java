package org.ucxnio.transport;

/** Hears that a connection may have become readable or writable. Called with a worker's lock held; must not block. */
public interface ReadinessListener {
    void onReady();
}
