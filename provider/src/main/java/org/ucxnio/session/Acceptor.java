package org.ucxnio.session;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.LocalSockets;

/** Takes in the sessions that other processes begin, as many as may be. Owned by the session thread. */
final class Acceptor implements SessionLoop.Handler {
    private static final int MAX_SESSIONS = 4096;
    private static final int ACCEPTS = 64;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final SessionSetting setting;
    private final Rendezvous rendezvous;
    private final ServerSocketChannel channel;

    /** Made in advance: there may be no memory when it is needed. */
    private final Runnable goOn = this::goOn;

    private SelectionKey key;
    private int sessions;

    Acceptor(SessionSetting setting, Rendezvous rendezvous) {
        this.setting = setting;
        this.rendezvous = rendezvous;
        this.channel = rendezvous.acceptor();
    }

    void start() throws IOException {
        key = setting.loop().register(channel, SelectionKey.OP_ACCEPT, this);
    }

    @Override
    public void onReady() {
        for (int i = 0; i < ACCEPTS; i++) {
            SocketChannel peer;
            try {
                peer = LocalSockets.accept(channel);
            } catch (IOException | OutOfMemoryError e) {
                // No descriptors or no memory, as a rule. The channel stays ready: to look at it at once again would
                // take a core.
                Log.debug("A session could not be accepted", e);
                pause();
                return;
            }
            if (peer == null) {
                return;
            }
            serve(peer);
        }
    }

    private void pause() {
        setting.loop().schedule(PAUSE_NANOS, goOn);
        key.interestOps(0);
    }

    private void goOn() {
        if (key.isValid()) {
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    private void serve(SocketChannel peer) {
        sessions++;
        boolean started = false;
        try {
            if (sessions > MAX_SESSIONS) {
                throw new IOException("there are too many");
            }
            peer.configureBlocking(false);
            PeerUser.check(peer, rendezvous.user());
            Session session = new Session(setting, rendezvous, peer, true);
            session.start(new ServerSide(session, () -> sessions--));
            started = true;
        } catch (IOException | RuntimeException | Error e) {
            // As a rule the peer only looked whether somebody lives here, and has gone. Nothing may close the acceptor.
            Log.debug("A session was refused", e);
        } finally {
            if (!started) {
                sessions--;
                SessionLoop.close(peer);
            }
        }
    }

    @Override
    public void onFailure(Throwable cause) {
        Log.error("No more sessions are accepted", cause);
    }
}
