/**
 * What carries a direction of a connection once it has left TCP: {@link org.ucxnio.link.Source} and {@link org.ucxnio.link.Sink} are its
 * two ends, {@link org.ucxnio.link.Lane} is what two processes agree on for one connection. Rings implement them here, messages in
 * {@code transport}. Nobody else asks which it is.
 *
 * <p>Imports: {@code ring}, {@code jdk} (numbers of descriptors), {@code counters}, {@code org.ucxnio.posix} (futexes).
 */
package org.ucxnio.link;
