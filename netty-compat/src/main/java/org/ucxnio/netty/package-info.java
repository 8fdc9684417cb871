/**
 * Netty's NIO transport on ucxnio's channels where a program asks for it, and nowhere else in its JVM: event loops of Netty 4.1 and 4.2,
 * and the channels that belong to them.
 *
 * <p>Imports: Netty, the provider.
 */
package org.ucxnio.netty;
