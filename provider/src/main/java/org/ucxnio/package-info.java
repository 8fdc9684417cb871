/**
 * The selector provider applications name in a flag, and the report on what it does.
 *
 * <p>Imports: {@code channel}, {@code selector}, {@code transport}, {@code session}, {@code loop}, {@code jdk},
 * {@code config}, {@code counters}, {@code org.ucxnio.ucx}, {@code org.ucxnio.posix}. None imports this package.
 */
package org.ucxnio;
