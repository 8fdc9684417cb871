/**
 * The few operating-system services the provider needs beside the JDK: epoll, eventfd, the environment, the owner of a
 * socket. Found through {@link java.util.ServiceLoader} ({@link org.ucxnio.posix.Posix}).
 *
 * <p>Imports: {@code java.base} only.
 */
package org.ucxnio.posix;
