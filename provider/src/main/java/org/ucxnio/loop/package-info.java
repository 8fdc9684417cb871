/**
 * How threads wait: who may spin, and for how long.
 *
 * <p>Imports: {@code jdk}, {@code config}, {@code counters}.
 */
package org.ucxnio.loop;
