/**
 * Round trips and one-way streams over Aeron's shared memory, the bound of what a program gets that is rewritten for messages. Imports
 * {@code org.ucxnio.bench.child}, {@code .measure} and Aeron.
 */
package org.ucxnio.bench.aeron;
