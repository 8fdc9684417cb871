/**
 * The argument on ordering at {@code RingOut}, put to the test on whatever processor and compiler there are: each class races one
 * writer with one reader, and forbids what must never be seen.
 *
 * <p>Imports: {@code ring}, jcstress.
 */
package org.ucxnio.stress;
