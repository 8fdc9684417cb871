package org.ucxnio.events;

import java.net.InetSocketAddress;

/** A call that waits for its peer, for the recorder. Not thread-safe. */
public interface RecordedWait {
    /**
     * The call is over.
     *
     * @param remote the peer, or null where nobody knows it any more
     * @param bytes what the call has moved; negative for the end of the stream
     */
    void tell(InetSocketAddress remote, long bytes);
}
