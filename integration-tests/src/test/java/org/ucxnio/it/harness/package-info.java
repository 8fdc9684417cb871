/**
 * What the suites share: child JVMs with deadlines and evidence, peers that carry out commands, byte patterns, ports,
 * {@code /proc}. Everything a child JVM loads from here uses {@code java.base} alone.
 *
 * <p>Imports: the JDK; JUnit, AssertJ and Awaitility in what only a test's own JVM loads; {@code org.ucxnio} in {@code Flavour},
 * {@code Rings} and {@code Traffic}.
 */
package org.ucxnio.it.harness;
