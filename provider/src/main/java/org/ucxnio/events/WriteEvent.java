package org.ucxnio.events;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** As {@code jdk.SocketWrite}. */
@Name("org.ucxnio.Write")
@Label("Write past TCP")
@Description("A blocking write that waited until its peer had read something from rings or over UCX")
final class WriteEvent extends WaitEvent {
    @Label("Bytes Written")
    @DataAmount
    long bytesWritten;

    @Override
    void moved(long bytes) {
        bytesWritten = bytes;
    }
}
