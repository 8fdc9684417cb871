/**
 * What the JDK keeps to itself and we use all the same: calls of native code, packages of {@code java.base} that are not exported, the
 * descriptors of the platform's channels, the place to hook into {@code FileChannel}. Nothing native is loaded before the first use. Also threads of our own.
 *
 * <p>Imports: {@code counters}, {@code org.ucxnio.posix}.
 */
package org.ucxnio.jdk;
