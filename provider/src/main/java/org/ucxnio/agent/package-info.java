/**
 * {@code -javaagent:ucxnio.jar}, the one flag instead of several: it names the provider, allows native access, and keeps Netty from its own
 * native transports. All of that runs before the program's {@code main}. Once a program sends files it changes a method of the JDK's as well.
 *
 * <p>Imports: {@code java.instrument}, {@code org.objectweb.asm} (in the JAR under another name), {@code jdk}, {@code config}, {@code counters}. Used by nobody: the JVM finds {@link org.ucxnio.agent.Agent} in the JAR's manifest.
 */
package org.ucxnio.agent;
