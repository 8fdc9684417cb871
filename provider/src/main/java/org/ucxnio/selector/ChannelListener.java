package org.ucxnio.selector;

import org.ucxnio.transport.ReadinessListener;

/** A selection key, as its channel sees it. Thread-safe. */
public interface ChannelListener extends ReadinessListener {

    /** Our key is no longer valid: the kernel channel is to be free of the key that stood behind it. */
    void releaseKernelKey();
}
