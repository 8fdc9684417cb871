/**
 * What happens to the survivors when peers exit, are killed, stopped, slow, or talk nonsense.
 *
 * <p>Imports: the JDK, JUnit, AssertJ, {@code harness}, and the main classes of {@code programs} by name.
 */
package org.ucxnio.it.failure;
