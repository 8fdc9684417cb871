/**
 * The SPI of {@link org.ucxnio.ucx} over {@code java.lang.foreign} (Java 22 and later, libucx 1.13 and later). Every native
 * declaration stands in {@link org.ucxnio.ucx.ffm.Ucp}, every layout in {@link org.ucxnio.ucx.ffm.UcpLayouts}.
 *
 * <p>Imports: {@code java.base}, {@code org.ucxnio.ucx}, {@code org.ucxnio.ucx.library}, {@code org.ucxnio.posix.ffm}. Nobody
 * depends on it at compile time: it is found through {@link java.util.ServiceLoader}.
 */
package org.ucxnio.ucx.ffm;
