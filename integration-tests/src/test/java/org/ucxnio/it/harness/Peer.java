package org.ucxnio.it.harness;

import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.ucxnio.it.programs.PeerMain;

/** A test's handle on the far end of its connections, wherever that runs. Thread-safe. */
public abstract sealed class Peer implements AutoCloseable {
    private static final long PATIENCE_MS = 25_000;
    private static final Map<Flavour, Peer> HERE = new EnumMap<>(Flavour.class);
    private static final Map<Flavour, Remote> ELSEWHERE = new EnumMap<>(Flavour.class);

    /** The peer in this JVM; the same one each time. */
    public static synchronized Peer inThisJvm(Flavour flavour) {
        return HERE.computeIfAbsent(flavour, key -> new Local(key.provider()));
    }

    /** The peer in a JVM of its own; the same one as long as it lives. */
    public static synchronized Peer inAnotherJvm(Flavour flavour) {
        Remote peer = ELSEWHERE.get(flavour);
        if (peer == null || !peer.child.isAlive()) {
            peer = new Remote(flavour);
            ELSEWHERE.put(flavour, peer);
        }
        return peer;
    }

    /** Carries out a command and waits for its result. */
    public String call(String command) {
        return await(start(command));
    }

    /** Begins to carry out a command. */
    public abstract CompletableFuture<String> start(String command);

    /** Waits for the result of a command. */
    public static String await(CompletableFuture<String> result) {
        try {
            return result.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new PeerFailure(e.getCause().getMessage(), e);
        } catch (TimeoutException e) {
            throw new AssertionError("The peer did not answer within " + PATIENCE_MS + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for the peer", e);
        }
    }

    @Override
    public abstract void close();

    /** A command that failed at the peer. */
    public static final class PeerFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        PeerFailure(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private static final class Local extends Peer {
        private final PeerActor actor;
        private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "local-peer");
            thread.setDaemon(true);
            return thread;
        });

        Local(SelectorProvider provider) {
            actor = new PeerActor(provider);
        }

        @Override
        public CompletableFuture<String> start(String command) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            return actor.execute(command);
                        } catch (IOException | RuntimeException e) {
                            throw new CompletionException(command + ": " + e, e);
                        }
                    },
                    threads);
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }

    private static final class Remote extends Peer {
        private final ChildJvm child;
        private final AtomicLong lastId = new AtomicLong();
        private final Map<Long, CompletableFuture<String>> pending = new ConcurrentHashMap<>();

        Remote(Flavour flavour) {
            try {
                child = JvmBuilder.of(flavour, PeerMain.class).start();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
            child.onLine(this::onLine);
            child.expect("READY");
        }

        @Override
        public CompletableFuture<String> start(String command) {
            CompletableFuture<String> result = new CompletableFuture<>();
            long id = lastId.incrementAndGet();
            pending.put(id, result);
            child.send(id + " " + command);
            return result.exceptionallyCompose(failure -> CompletableFuture.failedFuture(
                    new IllegalStateException(command + ": " + failure.getMessage(), failure)));
        }

        private void onLine(String line) {
            if (line.startsWith(PeerMain.ANSWER)) {
                String[] words = line.substring(PeerMain.ANSWER.length()).split(" ", 3);
                CompletableFuture<String> result = pending.remove(Long.valueOf(words[0]));
                if (words[1].equals("ok")) {
                    result.complete(words[2]);
                } else {
                    result.completeExceptionally(new IOException(words[2]));
                }
            }
        }

        @Override
        public void close() {
            child.close();
        }
    }
}
