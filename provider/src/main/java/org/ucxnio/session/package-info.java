/**
 * How two processes find each other and agree which connection of theirs is which, so that it can leave TCP: on one host, processes of one
 * user, by a rendezvous directory and sessions over Unix-domain sockets; between hosts of trusted networks by companion ports. Pairings;
 * user numbers, a directory of a user. All of it happens on one daemon thread ({@code SessionLoop}); nothing that an application calls
 * waits for it.
 *
 * <p>From the facade down: {@link org.ucxnio.session.Pairings} - {@code Routes}, {@code ListenerNames}, {@code Companions} - {@code
 * ClientSide}, {@code ServerSide} - {@code Session}, {@code Rendezvous}, {@code Network} - {@code SessionLoop}.
 *
 * <p>Imports: {@code memory}, {@code link}, {@code ring}, {@code jdk}, {@code config}, {@code counters}.
 */
package org.ucxnio.session;
