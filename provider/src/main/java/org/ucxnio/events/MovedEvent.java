package org.ucxnio.events;

import java.net.InetSocketAddress;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Once for each connection that moves, in each of its processes. */
@Name("org.ucxnio.ConnectionMoved")
@Label("Connection Moved")
@Category("ucxnio")
@Description("A connection has left TCP, in one direction at least")
@StackTrace(false)
final class MovedEvent extends Event {
    @Label("Local Address")
    String localAddress;

    @Label("Local Port")
    int localPort;

    @Label("Remote Address")
    String address;

    @Label("Remote Port")
    int port;

    @Label("Carrier")
    String carrier;

    static void tell(InetSocketAddress local, InetSocketAddress remote, String carrier) {
        MovedEvent event = new MovedEvent();
        if (event.shouldCommit()) {
            event.localAddress = Addresses.literal(local);
            event.localPort = Addresses.port(local);
            event.address = Addresses.literal(remote);
            event.port = Addresses.port(remote);
            event.carrier = carrier;
            event.commit();
        }
    }
}
