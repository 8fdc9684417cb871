/**
 * What programs of several packages measure with: latencies of rounds, processor time of all processes, busy work.
 * Imports {@code org.ucxnio.bench.child} and HdrHistogram.
 */
package org.ucxnio.bench.measure;
