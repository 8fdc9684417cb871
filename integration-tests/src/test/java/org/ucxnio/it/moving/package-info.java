/**
 * Connections that move from TCP to rings while they are in use, and what may go wrong on the way.
 *
 * <p>Imports: the JDK, JUnit, AssertJ, Awaitility, {@code harness}, and the main classes of {@code programs} by name.
 */
package org.ucxnio.it.moving;
