package org.ucxnio.session;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.ucxnio.counters.Log;
import org.ucxnio.link.Carrier;
import org.ucxnio.memory.SlabName;

/**
 * The rendezvous of this process, made when it is first needed. Where it cannot be made that is tried again now and then: there may
 * have been no descriptors. Owned by the session thread, except the looks.
 */
final class Meeting {
    private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final SelectorProvider platform;
    private final PathSupplier path;
    private final SessionSetting setting;

    /** Null where rings carry connections of this host. */
    private final Carrier messages;

    private long failedNanos;

    /** Of sessions over the rendezvous; null before there is one. */
    private Terms terms;

    private volatile Rendezvous rendezvous;
    private volatile String unavailable;

    Meeting(SelectorProvider platform, PathSupplier path, Carrier messages, SessionSetting setting) {
        this.platform = platform;
        this.path = path;
        this.messages = messages;
        this.setting = setting;
    }

    /** Null where there is none; {@link #unavailable} says why. */
    Rendezvous open() {
        if (rendezvous == null && (unavailable == null || System.nanoTime() - failedNanos >= AGAIN_NANOS)) {
            try {
                tryOpen();
                unavailable = null;
            } catch (IOException | RuntimeException | LinkageError e) {
                failedNanos = System.nanoTime();
                unavailable = e instanceof IOException && e.getMessage() != null ? e.getMessage() : e.toString();
                Log.warnOnce("rendezvous " + unavailable, "Connections of this host stay plain TCP: " + unavailable);
            }
        }
        return rendezvous;
    }

    private void tryOpen() throws IOException {
        byte[] token = newToken();
        Rendezvous made = Rendezvous.open(platform, path.path(), token);
        boolean done = false;
        try {
            // Messages know by themselves what to do; rings lie in the directory.
            Carrier carrier = messages == null ? new RingCarrier(made.directory(), token, setting.budget()) : messages;
            terms = new Terms(carrier, true, made.namespace(), 0);
            new Acceptor(setting, made.acceptor(), terms, peer -> PeerUser.check(peer, made.user())).start();
            done = true;
        } finally {
            if (!done) {
                made.leave();
                made.close();
            }
        }
        rendezvous = made;
        // Others wait behind this: later.
        setting.loop().execute(() -> Leftovers.sweep(made));
    }

    /** Of the kernel itself: the first {@code SecureRandom} of a process loads a hundred classes, and reads the same. */
    private static byte[] newToken() throws IOException {
        try (InputStream random = Files.newInputStream(Path.of("/dev/urandom"))) {
            byte[] token = random.readNBytes(SlabName.TOKEN_BYTES);
            if (token.length < SlabName.TOKEN_BYTES) {
                throw new IOException("/dev/urandom has ended");
            }
            return token;
        }
    }

    Terms terms() {
        return terms;
    }

    /** Why there is none, where one was wanted; else null. Any thread. */
    String unavailable() {
        return unavailable;
    }

    /** The one that there is, or null. Any thread. */
    Rendezvous current() {
        return rendezvous;
    }
}
