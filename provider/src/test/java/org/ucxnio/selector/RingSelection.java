package org.ucxnio.selector;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A selector that never spins, and channels whose bytes come by rings. */
abstract class RingSelection {
    /** A sleep shorter than this was woken. */
    static final long LONG_MILLIS = 20_000;

    final List<RingChannel> channels = new ArrayList<>();
    UcxSelector selector;

    @BeforeEach
    void open() throws IOException {
        // Without spinning each look at the kernel is a sleep.
        selector = SelectorFixture.openWithoutUcx("block");
    }

    @AfterEach
    void close() throws IOException {
        selector.close();
        for (RingChannel channel : channels) {
            channel.close();
        }
    }

    RingChannel channel(int ringOps) throws IOException {
        RingChannel channel = new RingChannel(ringOps);
        channels.add(channel);
        return channel;
    }

    void selectWoken() throws IOException {
        long start = System.nanoTime();
        selector.select(LONG_MILLIS);
        assertThat(System.nanoTime() - start).as("slept").isLessThan(LONG_MILLIS * 900_000);
    }

    static Thread after(long millis, Step step) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.sleep(millis);
                step.run();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    interface Step {
        void run() throws IOException;
    }

    interface Events {
        void run(Random random) throws IOException;
    }

    static CompletableFuture<Void> inThread(long seed, Events events) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                events.run(new Random(seed));
                done.complete(null);
            } catch (Throwable e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }
}
