package org.ucxnio.session;

import org.ucxnio.link.Carrier;

/**
 * What a session is about, before a word was said.
 *
 * @param carrier of its connections
 * @param onThisHost whether it goes over a Unix-domain socket, and the kernel has vouched for the peer's user
 * @param namespace the network namespace that its connections are in; 0 between hosts, where that says nothing
 * @param port of the listener that the server's companion port stands for; 0 on this host
 */
record Terms(Carrier carrier, boolean onThisHost, long namespace, int port) {}
