/**
 * Two hosts: two network namespaces joined by a pair of virtual interfaces, a JVM in each.
 *
 * <p>Imports: the JDK, JUnit, AssertJ, {@code harness}.
 */
package org.ucxnio.it.network;
