/**
 * Operating-system services through JNA ({@code net.java.dev.jna:jna}, which users put beside the JAR): Java 17 and later, Linux.
 *
 * <p>Imports: {@code posix}, and JNA.
 */
package org.ucxnio.posix.jna;
