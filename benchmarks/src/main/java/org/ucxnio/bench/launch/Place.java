package org.ucxnio.bench.launch;

import java.util.List;

/**
 * Where a measured JVM runs.
 *
 * @param prefix words before its command line
 * @param flags flags that it needs there
 * @param ourFlags flags that it needs there on our provider
 */
record Place(List<String> prefix, List<String> flags, List<String> ourFlags) {
    /** On this host, as everything does. */
    static final Place HERE = new Place(List.of(), List.of(), List.of());
}
