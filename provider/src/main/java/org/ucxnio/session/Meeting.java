package org.ucxnio.session;

import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import org.ucxnio.counters.Log;
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
    private long failedNanos;

    private volatile Rendezvous rendezvous;
    private volatile String unavailable;

    Meeting(SelectorProvider platform, PathSupplier path, SessionSetting setting) {
        this.platform = platform;
        this.path = path;
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
        byte[] token = new byte[SlabName.TOKEN_BYTES];
        new SecureRandom().nextBytes(token);
        Rendezvous made = Rendezvous.open(platform, path.path(), token);
        boolean done = false;
        try {
            new Acceptor(setting, made).start();
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

    /** Why there is none, where one was wanted; else null. Any thread. */
    String unavailable() {
        return unavailable;
    }

    /** The one that there is, or null. Any thread. */
    Rendezvous current() {
        return rendezvous;
    }
}
