package org.ucxnio.channel;

import java.nio.channels.spi.SelectorProvider;
import org.ucxnio.connect.Connector;

/**
 * What channels are made with.
 *
 * @param provider the provider applications see
 * @param platform the platform's own provider, for kernel sockets
 * @param connector sets up accelerated connections
 * @param plainConnections counts plain connections by reason
 */
public record ChannelServices(
        SelectorProvider provider, SelectorProvider platform, Connector connector, PlainConnections plainConnections) {}
