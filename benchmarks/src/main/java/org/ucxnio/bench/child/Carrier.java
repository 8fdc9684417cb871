package org.ucxnio.bench.child;

/** What can carry bytes. */
public enum Carrier {
    RING("ring"),
    UCX("UCX"),
    TCP("TCP");

    private final String label;

    Carrier(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }
}
