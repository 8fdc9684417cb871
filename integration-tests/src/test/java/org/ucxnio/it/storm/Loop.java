package org.ucxnio.it.storm;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.ucxnio.it.harness.Threads;

/** One thread with one selector, which serves many connections. */
final class Loop {
    /** Longer than anybody pauses: who sleeps that long was not woken. */
    private static final long LOST_NANOS = 10_000_000_000L;

    private final Storm storm;
    private final Selector selector;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    private Loop(Storm storm) throws IOException {
        this.storm = storm;
        this.selector = Selector.open();
    }

    static Loop start(Storm storm) throws IOException {
        Loop loop = new Loop(storm);
        Threads.daemon("loop", loop::run);
        return loop;
    }

    /** Serves one more connection. Any thread. */
    void add(SocketChannel channel, Runnable atEnd) {
        tasks.add(() -> register(channel, atEnd));
        selector.wakeup();
    }

    private void register(SocketChannel channel, Runnable atEnd) {
        try {
            channel.configureBlocking(false);
            SelectionKey key = channel.register(selector, 0);
            key.attach(new LoopConnection(storm, key, storm.random(), atEnd));
        } catch (IOException e) {
            Storm.print("WRONG register " + e);
        }
    }

    private void run() {
        try {
            while (true) {
                sleep();
                for (SelectionKey key : selector.selectedKeys()) {
                    ((LoopConnection) key.attachment()).serve();
                }
                selector.selectedKeys().clear();
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
            }
        } catch (IOException | RuntimeException e) {
            Storm.print("WRONG loop " + e);
            e.printStackTrace();
        }
    }

    /** Until something is ready or somebody's pause is over. */
    private void sleep() throws IOException {
        long now = System.nanoTime();
        long next = now + LOST_NANOS;
        for (SelectionKey key : selector.keys()) {
            next = Math.min(next, ((LoopConnection) key.attachment()).choose(now, next));
        }
        int ready = selector.select(1 + (next - now) / 1_000_000);
        if (ready == 0 && !selector.keys().isEmpty() && System.nanoTime() - now > LOST_NANOS) {
            Storm.print("WRONG nothing ready for too long: "
                    + selector.keys().stream().map(SelectionKey::interestOps).toList());
        }
    }
}
