/**
 * Two processes of one host that do not share everything: users, namespaces, shared memory that is small or full, descriptors that
 * have run out. They are accelerated, or ordinary TCP with the reason in the report; nothing hangs and no byte is lost.
 *
 * <p>Imports: the JDK, JUnit, AssertJ, Awaitility, {@code harness}, and the main classes of {@code programs} by name.
 */
package org.ucxnio.it.isolation;
