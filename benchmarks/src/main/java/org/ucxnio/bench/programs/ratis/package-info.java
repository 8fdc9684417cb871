/**
 * Apache Ratis: peers that agree on a counter, and clients that add to it. Nothing in it knows of the provider it runs on. Imports
 * {@code org.ucxnio.bench.child}, {@code .measure} and Ratis.
 */
package org.ucxnio.bench.programs.ratis;
