package org.ucxnio.session;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/** On this host: by the listener's name in the rendezvous directory. */
final class RendezvousWay implements Way {
    private final Meeting meeting;
    private final InetSocketAddress address;

    RendezvousWay(Meeting meeting, InetSocketAddress address) {
        this.meeting = meeting;
        this.address = address;
    }

    @Override
    public String closed() {
        return meeting.open() == null ? meeting.unavailable() : null;
    }

    /** The name of the listener, or null. */
    private String name(Rendezvous rendezvous) throws IOException {
        for (String name : new String[] {rendezvous.listenerName(address), rendezvous.listenerOfAny(address)}) {
            if (rendezvous.identity(name) != null) {
                return name;
            }
        }
        return null;
    }

    @Override
    public boolean begin(Route route) throws IOException {
        Rendezvous rendezvous = meeting.current();
        String name = name(rendezvous);
        if (name == null) {
            return false;
        }
        // First: a name that changes hands meanwhile looks changed later.
        Object identity = rendezvous.identity(name);
        SocketChannel channel = rendezvous.connect(name);
        if (channel == null) {
            return false;
        }
        boolean checked = false;
        try {
            PeerUser.check(channel, rendezvous.user());
            checked = true;
        } finally {
            if (!checked) {
                channel.close();
            }
        }
        route.connected(channel, meeting.terms(), identity);
        return true;
    }

    @Override
    public boolean isCurrent(Object identity) {
        try {
            Rendezvous rendezvous = meeting.current();
            String name = name(rendezvous);
            return name == null || identity.equals(rendezvous.identity(name));
        } catch (IOException e) {
            return true;
        }
    }
}
