/**
 * An ordinary Netty 4.2 echo pair: nothing in it knows of the provider it runs on, but for the last question of the
 * client, what the provider carried. Imports {@code org.ucxnio.bench.child}, {@code .measure} and Netty.
 */
package org.ucxnio.bench.netty;
