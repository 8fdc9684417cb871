/**
 * {@code -javaagent:ucxnio.jar}, the one flag instead of several: it names the provider, allows native access, and keeps Netty from its own
 * native transports. Everything here runs before the program's {@code main}.
 *
 * <p>Imports: {@code java.instrument}, {@code jdk}, {@code config}, {@code counters}. Used by nobody: the JVM finds {@link org.ucxnio.agent.Agent} in the JAR's manifest.
 */
package org.ucxnio.agent;
