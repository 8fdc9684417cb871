package org.ucxnio.session;

import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ucxnio.counters.Log;

/** The companion ports of this process's listeners. Owned by the session thread, except {@link #yieldPort}. */
final class Companions {
    /** How long the application's bind waits for a port of ours at most. */
    private static final long YIELD_SECONDS = 1;

    private static final class Entry {
        final Companion companion;
        int listeners;

        Entry(Companion companion) {
            this.companion = companion;
        }
    }

    private final SelectorProvider platform;
    private final SessionSetting setting;
    private final Map<InetSocketAddress, Entry> byListener = new HashMap<>();
    private final Set<Integer> ports = ConcurrentHashMap.newKeySet();

    Companions(SelectorProvider platform, SessionSetting setting) {
        this.platform = platform;
        this.setting = setting;
    }

    void open(InetSocketAddress bound) {
        int port = setting.network().companionPort(bound.getPort());
        if (port < 1 || !setting.network().isOpenToOthers(bound.getAddress())) {
            return;
        }
        Entry entry = byListener.get(bound);
        if (entry == null) {
            entry = new Entry(new Companion(platform, setting, bound, port));
            byListener.put(bound, entry);
            ports.add(port);
            entry.companion.open();
        }
        entry.listeners++;
    }

    void close(InetSocketAddress bound) {
        Entry entry = byListener.get(bound);
        if (entry != null && --entry.listeners == 0) {
            byListener.remove(bound);
            entry.companion.close();
            ports.remove(entry.companion.port());
        }
    }

    /** As {@link Host#yieldPort}. */
    boolean yieldPort(int port) {
        if (!ports.contains(port)) {
            return false;
        }
        CountDownLatch done = new CountDownLatch(1);
        setting.loop().execute(() -> {
            giveUp(port);
            done.countDown();
        });
        try {
            return done.await(YIELD_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void giveUp(int port) {
        ports.remove(port);
        for (Iterator<Map.Entry<InetSocketAddress, Entry>> all =
                        byListener.entrySet().iterator();
                all.hasNext(); ) {
            Map.Entry<InetSocketAddress, Entry> each = all.next();
            if (each.getValue().companion.port() == port) {
                all.remove();
                each.getValue().companion.close();
                Log.warn("Connections to port " + each.getKey().getPort() + " are plain from now on: the application"
                        + " binds its companion port " + port);
            }
        }
    }
}
