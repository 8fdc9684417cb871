package org.ucxnio.bench.measure;

import org.HdrHistogram.Histogram;

/** Where latencies of operations come from. */
@FunctionalInterface
public interface LatencySource {
    /** Moves the latencies since the last call into {@code histogram}, ns; the one draining thread only. */
    void drainTo(Histogram histogram);
}
