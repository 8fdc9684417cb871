/**
 * What must not grow: memory allocated by reads, writes and selects in steady state, and what connections leave behind.
 *
 * <p>Imports: the JDK, JUnit, AssertJ, {@code harness}, and the main classes of {@code programs} by name.
 */
package org.ucxnio.it.footprint;
