package org.ucxnio.events;

import java.net.InetSocketAddress;
import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Threshold;

/** The fields and the threshold are those of the JDK's events of sockets. */
@Category("ucxnio")
@Threshold("20 ms")
abstract class WaitEvent extends Event implements RecordedWait {
    @Label("Remote Address")
    String address;

    @Label("Remote Port")
    int port;

    final RecordedWait begun() {
        begin();
        return this;
    }

    @Override
    public final void tell(InetSocketAddress remote, long bytes) {
        end();
        if (shouldCommit()) {
            address = Addresses.literal(remote);
            port = Addresses.port(remote);
            moved(bytes);
            commit();
        }
    }

    /** Notes what the call has moved, as {@link RecordedWait#tell} has it. */
    abstract void moved(long bytes);
}
