/**
 * What one user of a host tries against the processes of another, and files that are not ours to delete. {@code docs/security.md} says
 * what each test holds.
 *
 * <p>Imports: the JDK, JUnit, AssertJ, Awaitility, {@code harness}, {@code isolation} (two JVMs of one host), and the main classes of
 * {@code programs} by name.
 */
package org.ucxnio.it.security;
