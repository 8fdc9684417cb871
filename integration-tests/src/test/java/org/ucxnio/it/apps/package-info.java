/**
 * Real programs, unmodified, each side in a JVM of its own: with the JDK's provider on both sides, with ours, and mixed.
 *
 * <p>Imports: the JDK, JUnit, AssertJ, {@code harness}, and the main classes of {@code programs} by name.
 */
package org.ucxnio.it.apps;
