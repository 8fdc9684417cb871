package org.ucxnio.config;

/** How a thread waits for work. */
public enum WaitMode {
    /** Spin while work keeps coming and processors are free, then sleep. */
    ADAPTIVE,
    /** Never sleep. */
    SPIN,
    /** Sleep at once. */
    BLOCK
}
