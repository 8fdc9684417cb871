package org.ucxnio.it.moving;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import org.ucxnio.it.harness.Attempt;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Mode;

/** How a thread reads or writes. */
enum Style {
    BLOCKING,
    BLOCKING_VIRTUAL,
    POLLING,
    SELECTING;

    /** Puts the channel into the mode for it. */
    ChannelIo open(SocketChannel channel) throws IOException {
        return switch (this) {
            case BLOCKING, BLOCKING_VIRTUAL -> ChannelIo.of(channel, Mode.BLOCKING);
            case POLLING -> ChannelIo.polling(channel);
            case SELECTING -> ChannelIo.of(channel, Mode.SELECTOR);
        };
    }

    /** Does something on a thread of its own. */
    <T> Attempt<T> start(Callable<T> work) {
        return this == BLOCKING_VIRTUAL ? Attempt.startVirtual(work) : Attempt.start(work);
    }
}
