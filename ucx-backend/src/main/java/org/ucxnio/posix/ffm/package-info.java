/**
 * {@link org.ucxnio.posix.Posix} over {@code java.lang.foreign} (Java 22 and later). {@link org.ucxnio.posix.ffm.Raw} and
 * {@link org.ucxnio.posix.ffm.LibC} are public for {@code org.ucxnio.ucx.ffm} alone.
 *
 * <p>Imports: {@code java.base}, {@code org.ucxnio.posix}.
 */
package org.ucxnio.posix.ffm;
