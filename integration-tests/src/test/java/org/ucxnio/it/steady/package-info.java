/**
 * What must not grow or be spent while nothing changes: allocation, descriptors, threads, memory, processor time.
 *
 * <p>Imports: the JDK, JUnit, AssertJ, {@code harness}. The programs use the JDK and {@code harness} alone.
 */
package org.ucxnio.it.steady;
