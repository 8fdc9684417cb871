/**
 * What Java Flight Recorder hears of connections that have left TCP. The JDK's channels have events for reads and writes that take long
 * ({@code jdk.SocketRead}, {@code jdk.SocketWrite}), and so have ours as long as the kernel carries their bytes; behind a move these take
 * over. A Java without the module {@code jdk.jfr} goes without them.
 *
 * <p>Imports: {@code java.base} and, found at run time, {@code jdk.jfr}. Used by {@code channel}.
 */
package org.ucxnio.events;
