/**
 * The contract of {@code java.nio.channels}, parameterised by provider, by mode, and by where the far end runs. The JDK's
 * provider is the reference: a test that fails on it is wrong.
 *
 * <p>Imports: the JDK, JUnit, AssertJ, Awaitility, {@code harness}. Nothing of ours: what is tested here is the public
 * API of the JDK.
 */
package org.ucxnio.it.contract;
