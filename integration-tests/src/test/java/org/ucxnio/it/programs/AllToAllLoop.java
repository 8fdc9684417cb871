package org.ucxnio.it.programs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ucxnio.it.harness.Threads;

/** A thread that exchanges messages over links to all other processes, with a selector. */
final class AllToAllLoop {
    private static final int BUFFER_BYTES = 16 << 10;
    private static final long PATIENCE_SECONDS = 25;

    private final List<AllToAllLink> links;
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    private AllToAllLoop(List<AllToAllLink> links) {
        this.links = links;
    }

    /** Starts one; links that are null are left out. */
    static AllToAllLoop start(String name, AllToAllLink[] links, int messageBytes, long bytes) {
        List<AllToAllLink> all = new ArrayList<>();
        for (AllToAllLink link : links) {
            if (link != null) {
                link.begin(messageBytes, bytes);
                all.add(link);
            }
        }
        AllToAllLoop loop = new AllToAllLoop(all);
        Threads.daemon(name, loop::run);
        return loop;
    }

    void await() throws Exception {
        try {
            end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException("Not done: " + links, e);
        }
    }

    private void run() {
        try (Selector selector = Selector.open()) {
            for (AllToAllLink link : links) {
                link.channel.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE, link);
            }
            ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
            while (!links.stream().allMatch(AllToAllLink::isDone)) {
                selector.select(key -> serve(key, buffer));
            }
            end.complete(null);
        } catch (IOException | RuntimeException e) {
            end.completeExceptionally(e);
        }
    }

    private static void serve(SelectionKey key, ByteBuffer buffer) {
        AllToAllLink link = (AllToAllLink) key.attachment();
        try {
            if (key.isReadable()) {
                link.receive(buffer);
            }
            if (key.isWritable()) {
                link.send();
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        key.interestOps(
                (link.hasToReceive() ? SelectionKey.OP_READ : 0) | (link.hasToSend() ? SelectionKey.OP_WRITE : 0));
    }
}
