package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ucxnio.bench.measure.Latencies;

/**
 * One-way throughput. The client announces a number of messages (a header of 8 bytes), writes them, and waits for the
 * server's 8-byte receipt; the time from the first write to the receipt counts. Socket options are the defaults. The server reads into a buffer of one
 * message, but of 64 KiB at least, and verifies what falls into it.
 */
final class Stream implements Program {
    private static final int MIN_READ_SIZE = 64 * 1024;
    private static final double NANOS_PER_SECOND = 1e9;

    private final Options options;
    private final int size;
    private final ByteBuffer header;
    private Wire wire;

    Stream(Options options) {
        this.options = options;
        size = Math.max(Message.MIN_SIZE, options.size());
        header = options.buffer(Long.BYTES);
    }

    @Override
    public void serve(ServerSocketChannel listener) throws IOException {
        try (Wire accepted = Wire.of(listener.accept(), options.selector())) {
            wire = accepted;
            StreamCheck check = new StreamCheck(size);
            ByteBuffer buffer = options.buffer(Math.max(size, MIN_READ_SIZE));
            while (readHeader()) {
                long total = header.getLong(0) * size;
                drain(buffer, total, check);
                header.clear().putLong(0, total);
                wire.write(header);
            }
        }
    }

    private void drain(ByteBuffer buffer, long total, StreamCheck check) throws IOException {
        long offset = 0;
        while (offset < total) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), total - offset));
            int count = wire.read(buffer);
            if (count < 0) {
                throw new IOException("the stream ended after %d of %d bytes".formatted(offset, total));
            }
            check.accept(buffer, offset, count);
            offset += count;
        }
    }

    private boolean readHeader() throws IOException {
        header.clear();
        return Wire.readFully(wire, header);
    }

    @Override
    public void drive(InetSocketAddress server) throws IOException {
        try (Wire connected = Wire.of(SocketChannel.open(server), options.selector())) {
            wire = connected;
            ByteBuffer buffer = options.buffer(size);
            Message.fill(buffer);
            long messages = warmUp(buffer, Math.max(1, MIN_READ_SIZE / size));
            options.awaitMove(1);
            messages = warmUp(buffer, messages);
            double[] perSecond = new double[options.rounds()];
            double[] allocated = new double[options.rounds()];
            Allocation allocation = new Allocation();
            for (int i = 0; i < options.rounds(); i++) {
                allocation.start();
                perSecond[i] = messages * NANOS_PER_SECOND / round(buffer, messages);
                allocated[i] = allocation.perOperation(messages);
                options.reporter()
                        .progress("round %d of %d: %.2f M messages/s, %.2f GB/s"
                                .formatted(i + 1, options.rounds(), perSecond[i] / 1e6, perSecond[i] * size / 1e9));
            }
            double rate = Latencies.median(perSecond);
            options.reporter().result("rate", rate);
            options.reporter().result("bytes", rate * size);
            options.reporter().result("alloc", Latencies.median(allocated));
            options.checkAcceleration(1);
        }
    }

    /**
     * Grows rounds, the first of them of {@code first} messages, until half of the warm-up time is over; returns the
     * number of messages that fill one round.
     */
    private long warmUp(ByteBuffer buffer, long first) throws IOException {
        long end = System.nanoTime() + options.warmupNanos() / 2;
        long messages = first;
        long nanos = round(buffer, messages);
        while (System.nanoTime() - end < 0) {
            if (nanos < options.roundNanos() / 2) {
                messages *= 2;
            }
            nanos = round(buffer, messages);
        }
        return Math.max(1, Math.round((double) messages * options.roundNanos() / nanos));
    }

    /** Sends {@code messages} messages and waits for the receipt; returns the time it took, ns. */
    private long round(ByteBuffer buffer, long messages) throws IOException {
        header.clear().putLong(0, messages);
        long start = System.nanoTime();
        wire.write(header);
        sendAll(buffer, messages);
        if (!readHeader()) {
            throw new IOException("the server closed the connection");
        }
        long nanos = System.nanoTime() - start;
        if (header.getLong(0) != messages * size) {
            throw new IllegalStateException(
                    "sent %d bytes, the receipt says %d".formatted(messages * size, header.getLong(0)));
        }
        return nanos;
    }

    private void sendAll(ByteBuffer buffer, long messages) throws IOException {
        for (long number = 0; number < messages; number++) {
            buffer.clear();
            Message.stamp(buffer, size, number);
            wire.write(buffer);
        }
    }
}
