/**
 * Every property of ucxnio: name, default, unit, bounds, check, print-out.
 *
 * <p>Imports: {@code java.base} only. Used by all of {@code provider}.
 */
package org.ucxnio.config;
