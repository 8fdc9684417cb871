package org.ucxnio.channel;

import java.nio.channels.spi.SelectorProvider;
import org.ucxnio.loop.SpinGovernor;
import org.ucxnio.session.Host;

/**
 * What channels are made with.
 *
 * @param provider the provider applications see
 * @param platform the platform's own provider, for kernel sockets
 * @param plainConnections counts plain connections by reason
 * @param host moves connections off TCP; null where they stay
 * @param policy says when a connection is worth it
 * @param governor says who may spin
 * @param plainReason why connections are plain where {@code host} does not say so
 */
public record ChannelServices(
        SelectorProvider provider,
        SelectorProvider platform,
        PlainConnections plainConnections,
        Host host,
        MovePolicy policy,
        SpinGovernor governor,
        String plainReason) {}
