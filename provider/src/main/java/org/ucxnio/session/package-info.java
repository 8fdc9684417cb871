/**
 * How two processes of one user on one host find each other and agree which connection of theirs is which, so that it can move to
 * shared memory: the rendezvous directory, sessions over Unix-domain sockets, pairings; user numbers, a directory of a user. All of it
 * happens on one daemon thread ({@code SessionLoop}); nothing that an application calls waits for it.
 *
 * <p>From the facade down: {@link org.ucxnio.session.Pairings} - {@code Routes}, {@code ListenerNames} - {@code ClientSide},
 * {@code ServerSide} - {@code Session}, {@code Rendezvous} - {@code SessionLoop}.
 *
 * <p>Imports: {@code memory}, {@code ring}, {@code jdk}, {@code counters}.
 */
package org.ucxnio.session;
