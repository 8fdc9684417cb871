package org.ucxnio.events;

import java.net.InetSocketAddress;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** The fields and the threshold are those of {@code jdk.SocketRead}. */
@Name("org.ucxnio.Read")
@Label("Read past TCP")
@Category("ucxnio")
@Description("A blocking read that slept until its peer had sent something through rings or over UCX")
@Threshold("20 ms")
final class ReadEvent extends Event implements RecordedWait {
    @Label("Remote Address")
    String address;

    @Label("Remote Port")
    int port;

    @Label("Bytes Read")
    @DataAmount
    long bytesRead;

    @Label("End of Stream")
    boolean endOfStream;

    static RecordedWait begun() {
        ReadEvent event = new ReadEvent();
        event.begin();
        return event;
    }

    @Override
    public void tell(InetSocketAddress remote, long bytes) {
        end();
        if (shouldCommit()) {
            address = Addresses.literal(remote);
            port = Addresses.port(remote);
            bytesRead = Math.max(bytes, 0);
            endOfStream = bytes < 0;
            commit();
        }
    }
}
