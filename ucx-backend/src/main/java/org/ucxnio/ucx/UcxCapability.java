package org.ucxnio.ucx;

/** What a backend may or may not be able to do. */
public enum UcxCapability {
    /** Memory of a peer on the same host can be mapped and used with plain loads and stores. */
    SHARED_MEMORY
}
