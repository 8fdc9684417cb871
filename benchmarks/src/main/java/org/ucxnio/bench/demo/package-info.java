/**
 * The demonstration: unmodified Netty and unmodified ZooKeeper, first on the JDK's provider, then on ours, side by side.
 * Imports {@code org.ucxnio.bench.launch}, {@code .table} and {@code .child}.
 */
package org.ucxnio.bench.demo;
