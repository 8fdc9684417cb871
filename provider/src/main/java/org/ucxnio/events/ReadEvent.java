package org.ucxnio.events;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** As {@code jdk.SocketRead}. */
@Name("org.ucxnio.Read")
@Label("Read past TCP")
@Description("A blocking read that slept until its peer had sent something through rings or over UCX")
final class ReadEvent extends WaitEvent {
    @Label("Bytes Read")
    @DataAmount
    long bytesRead;

    @Label("End of Stream")
    boolean endOfStream;

    @Override
    void moved(long bytes) {
        bytesRead = Math.max(bytes, 0);
        endOfStream = bytes < 0;
    }
}
