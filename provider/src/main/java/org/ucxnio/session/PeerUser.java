package org.ucxnio.session;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;

/** Who is at the other end of a Unix-domain socket, as the kernel tells. */
final class PeerUser {
    private PeerUser() {}

    /** @throws IOException where this Java cannot tell who the peer is */
    static void checkAvailable() throws IOException {
        try {
            ExtendedSocketOptions.SO_PEERCRED.name();
        } catch (LinkageError e) {
            throw new IOException("the user of a peer cannot be told: this Java lacks the module jdk.net", e);
        }
    }

    /**
     * Refuses another user, root included.
     *
     * @param ours our own user, whose number stands for one user ({@link UserIds})
     */
    static void check(SocketChannel channel, UserPrincipal ours) throws IOException {
        UserPrincipal peer =
                channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
        if (!ours.equals(peer)) {
            throw new IOException("the peer belongs to user " + peer.getName() + ", not to " + ours.getName());
        }
    }
}
