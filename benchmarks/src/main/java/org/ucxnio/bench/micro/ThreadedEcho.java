package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ucxnio.bench.measure.BusyWork;
import org.ucxnio.bench.measure.LatencyRecorder;
import org.ucxnio.bench.measure.LoadMeter;
import org.ucxnio.bench.measure.Pace;

/**
 * Echo between blocking threads, platform or virtual ones, each with a connection of its own, as many in the server as in the client; or one
 * thread in the server with a selector, which does no work. Both sides work on each message: the server before it answers, the client, whose work no
 * latency contains, before it sends the next. With a rate messages leave by the clock, and count from when they were due.
 */
final class ThreadedEcho implements Program {
    private static final long END_TIMEOUT_MILLIS = 10_000;

    private final Options options;
    private final int size;
    private final BusyWork work;
    private volatile boolean ended;

    ThreadedEcho(Options options) {
        this.options = options;
        size = options.size();
        work = BusyWork.ofMicros(options.workMicros());
    }

    @Override
    public void serve(ServerSocketChannel listener) throws IOException {
        if (options.selector()) {
            new SelectorEcho(options).run(listener);
        } else {
            serveByThreads(listener);
        }
    }

    private void serveByThreads(ServerSocketChannel listener) throws IOException {
        while (true) {
            SocketChannel channel = listener.accept();
            options.thread("echo", () -> echo(channel)).start();
        }
    }

    private void echo(SocketChannel channel) {
        try (Wire wire = BlockingWire.of(channel)) {
            ByteBuffer buffer = options.buffer(size);
            while (Wire.readFully(wire, buffer)) {
                work.run();
                buffer.flip();
                wire.write(buffer);
                buffer.clear();
            }
        } catch (IOException e) {
            e.printStackTrace();
        }
    }

    @Override
    public void drive(SocketAddress server) throws IOException, InterruptedException {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < options.connections(); i++) {
            clients.add(new Client(SocketChannel.open(server)));
        }
        long start = System.nanoTime();
        for (int i = 0; i < clients.size(); i++) {
            clients.get(i).start(Pace.of(options.rate(), i, clients.size(), start));
        }
        TimeUnit.NANOSECONDS.sleep(options.warmupNanos());
        options.awaitMove(options.connections());
        new LoadMeter(options.rounds(), options.reporter(), options.clockPort())
                .measure(
                        options.roundNanos(),
                        clients.stream().map(each -> each.latencies).toList());
        ended = true;
        for (Client client : clients) {
            client.awaitEnd();
        }
        options.checkAcceleration(options.connections());
        for (Client client : clients) {
            client.wire.close();
        }
    }

    /** One thread of the client and its connection. */
    private final class Client {
        final LatencyRecorder latencies = new LatencyRecorder();
        final Wire wire;
        private final Thread thread = options.thread("client", this::run);
        private Pace pace;
        private volatile Exception failure;

        Client(SocketChannel channel) throws IOException {
            wire = BlockingWire.of(channel);
        }

        void start(Pace messages) {
            pace = messages;
            thread.start();
        }

        private void run() {
            try {
                exchange();
            } catch (IOException | RuntimeException e) {
                failure = e;
            }
        }

        private void exchange() throws IOException {
            ByteBuffer buffer = options.buffer(size);
            Message.fill(buffer);
            for (long number = 0; !ended; number++) {
                Message.stamp(buffer, size, number);
                buffer.clear();
                long start = pace.await();
                wire.write(buffer);
                buffer.clear();
                if (!Wire.readFully(wire, buffer)) {
                    throw new IOException("the server closed a connection");
                }
                latencies.record(System.nanoTime() - start);
                Message.check(buffer, size, number);
                work.run();
            }
        }

        /** Waits until the thread has its last answer; an exception if it failed or has none. */
        void awaitEnd() throws IOException, InterruptedException {
            thread.join(END_TIMEOUT_MILLIS);
            if (failure != null) {
                throw new IOException("a client thread failed", failure);
            }
            if (thread.isAlive()) {
                throw new IOException("an answer is missing");
            }
        }
    }
}
