/**
 * What is counted and what is logged: byte counters, connections by kind, log lines once for each distinct cause.
 *
 * <p>Imports: {@code java.base} only. Used by all of {@code provider}.
 */
package org.ucxnio.counters;
