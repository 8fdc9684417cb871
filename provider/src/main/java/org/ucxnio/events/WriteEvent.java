package org.ucxnio.events;

import java.net.InetSocketAddress;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** The fields and the threshold are those of {@code jdk.SocketWrite}. */
@Name("org.ucxnio.Write")
@Label("Write past TCP")
@Category("ucxnio")
@Description("A blocking write that waited until its peer had read something from rings or over UCX")
@Threshold("20 ms")
final class WriteEvent extends Event implements RecordedWait {
    @Label("Remote Address")
    String address;

    @Label("Remote Port")
    int port;

    @Label("Bytes Written")
    @DataAmount
    long bytesWritten;

    static RecordedWait begun() {
        WriteEvent event = new WriteEvent();
        event.begin();
        return event;
    }

    @Override
    public void tell(InetSocketAddress remote, long bytes) {
        end();
        if (shouldCommit()) {
            address = Addresses.literal(remote);
            port = Addresses.port(remote);
            bytesWritten = Math.max(bytes, 0);
            commit();
        }
    }
}
