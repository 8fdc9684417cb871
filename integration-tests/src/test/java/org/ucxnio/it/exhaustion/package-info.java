/**
 * A process, or its machine, runs out of something: memory, room in {@code /dev/shm}, descriptors, ports, rights. What programs see is
 * what they see on the JDK's provider, and it is over once there is enough again.
 *
 * <p>Imports: the harness and its programs, as any test; of the programs' JVMs nothing.
 */
package org.ucxnio.it.exhaustion;
