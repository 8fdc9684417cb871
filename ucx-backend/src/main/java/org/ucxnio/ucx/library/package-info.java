/**
 * What the ways to call UCX have in common: finding libucp and reading what it prints, and what of a context, a worker, an endpoint and
 * their memory calls neither UCX nor the system. A process uses one of these ways, so each base class has one loaded subclass there, and
 * costs its hot path nothing.
 *
 * <p>Imports: {@code ucx}.
 */
package org.ucxnio.ucx.library;
