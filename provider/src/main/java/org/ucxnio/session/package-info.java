/**
 * What processes of one user share beside connections, and how they know each other: user numbers, a directory of a user.
 *
 * <p>Imports: {@code java.base} only.
 */
package org.ucxnio.session;
