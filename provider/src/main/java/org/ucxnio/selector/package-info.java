/**
 * Selection: the selector, its keys, the queue of ready keys, how it sleeps. It knows our channels through
 * {@link org.ucxnio.selector.TransportChannel} and every other channel through the platform's selector inside.
 *
 * <p><b>Locks.</b> As in the JDK: the selector, then its selected-key set, then the cancelled keys. Registering, changing an
 * interest, cancelling and waking up take none of them; they leave a note in the ready queue.
 *
 * <p>Imports: {@code transport} (the workers of UCX), {@code link} (bells), {@code loop}, {@code jdk}, {@code config}, {@code counters}, {@code org.ucxnio.ucx},
 * {@code org.ucxnio.posix}.
 */
package org.ucxnio.selector;
