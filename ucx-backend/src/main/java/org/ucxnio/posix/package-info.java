/**
 * The few operating-system services the provider needs beside the JDK: the state of sockets and futexes
 * ({@link org.ucxnio.posix.KernelCalls}), a way to map files ({@link org.ucxnio.posix.FileMemory}), and for UCX epoll, eventfd and the
 * environment ({@link org.ucxnio.posix.Posix}). What is not the JDK's own is found at run time, most of it through
 * {@link java.util.ServiceLoader}. Epoll and eventfd have base classes, which hold all but the calls.
 *
 * <p>Imports: {@code java.base} only.
 */
package org.ucxnio.posix;
