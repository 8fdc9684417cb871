/**
 * The selector provider applications name in a flag, and the report on what it does.
 *
 * <p>Imports: every other package of this module; none imports this one.
 */
package org.ucxnio;
