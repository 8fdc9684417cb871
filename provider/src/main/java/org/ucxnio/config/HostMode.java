package org.ucxnio.config;

/** What carries connections between two processes of one host. */
public enum HostMode {
    /** Rings in shared memory. */
    RINGS,
    /** Messages over UCX. */
    UCX,
    /** TCP. */
    OFF
}
