/**
 * What single calls cost within one process: a record through a ring, a selection, a message through a pair of channels. Imports {@code
 * org.ucxnio}, {@code org.ucxnio.ring} and JMH.
 */
package org.ucxnio.jmh;
