package org.ucxnio.it.apps;

import java.util.stream.IntStream;
import org.ucxnio.it.harness.Flavour;

/** Whose providers the members of a cluster use. */
enum Members {
    PLAIN,
    ACCELERATED,

    /** By turns, beginning with ours. */
    MIXED;

    Flavour flavour(int rank) {
        return this == PLAIN || this == MIXED && rank % 2 == 1 ? Flavour.JDK : Flavour.RINGS;
    }

    /** Those of all members but one. */
    Flavour[] othersThan(int rank, int members) {
        return IntStream.range(0, members)
                .filter(other -> other != rank)
                .mapToObj(this::flavour)
                .toArray(Flavour[]::new);
    }
}
