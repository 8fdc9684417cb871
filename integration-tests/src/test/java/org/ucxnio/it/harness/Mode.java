package org.ucxnio.it.harness;

/** How a channel is used. */
public enum Mode {
    BLOCKING,
    SELECTOR
}
