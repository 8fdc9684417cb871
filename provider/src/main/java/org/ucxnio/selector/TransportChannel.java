package org.ucxnio.selector;

import java.io.IOException;
import java.nio.channels.SelectableChannel;
import org.ucxnio.transport.TransportWorker;
import org.ucxnio.transport.WorkerGroup;

/** What the selector needs to know of a channel of ours. Thread-safe. */
public interface TransportChannel {

    /** The kernel channel whose readiness counts now; null while none does. Changes are told to the listeners. */
    SelectableChannel kernelChannel();

    /** Operations that are ready without the kernel's word. */
    int transportReadyOps();

    /** The worker that must be progressed for this channel, bound now if need be; null while it has none. */
    TransportWorker bindTo(WorkerGroup group) throws IOException;

    /** Adds a listener that hears when readiness, or the kernel channel, may have changed. */
    void addListener(ChannelListener listener);

    void removeListener(ChannelListener listener);
}
