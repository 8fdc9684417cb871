package org.ucxnio.netty;

import java.nio.channels.spi.SelectorProvider;
import org.ucxnio.UcxSelectorProvider;

/** The provider of all of these, whatever that of the JVM is. */
final class Provider {
    static final SelectorProvider INSTANCE = new UcxSelectorProvider();

    private Provider() {}
}
