/**
 * The main classes of child JVMs. They talk to the test that started them in lines on standard input and output, and end
 * when standard input does, so that none outlives its test.
 *
 * <p>Imports: the JDK, {@code harness}, and the real program that a class is for.
 */
package org.ucxnio.it.programs;
