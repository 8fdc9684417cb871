/**
 * Two processes that do everything at once for as long as one likes: many connections, threads and selectors, all sizes, half-closes,
 * pauses in which both sides fall asleep. Every byte of every stream is checked.
 *
 * <p>Imports: the JDK, {@code harness}; JUnit, AssertJ and Awaitility in the tests.
 */
package org.ucxnio.it.storm;
