/**
 * Finding libucp and reading what it prints: what the ways to call it have in common.
 *
 * <p>Imports: {@code ucx}.
 */
package org.ucxnio.ucx.library;
