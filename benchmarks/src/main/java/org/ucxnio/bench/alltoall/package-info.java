/**
 * Several processes, each connected to every other, that send each other messages of one size as fast as the connections take them.
 * Imports {@code org.ucxnio.bench.child} and {@code .measure}.
 */
package org.ucxnio.bench.alltoall;
