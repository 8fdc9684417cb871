/**
 * A queue of records in memory that two processes share: one writes, the other reads. Nothing here knows UCX, threads or channels.
 *
 * <p>Imports: none of ours.
 */
package org.ucxnio.ring;
