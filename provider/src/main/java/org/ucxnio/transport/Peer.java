package org.ucxnio.transport;

import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * A process at the other end.
 *
 * @param processId chosen at random by each process at start
 * @param sameHost whether it runs on this host, within reach of shared memory
 * @param windowBytes what it lets a sender have under way on a connection
 * @param windowMessages likewise, in messages
 * @param running whether it has not ended yet; asked only where it runs on this host
 */
public record Peer(UUID processId, boolean sameHost, int windowBytes, int windowMessages, BooleanSupplier running) {}
