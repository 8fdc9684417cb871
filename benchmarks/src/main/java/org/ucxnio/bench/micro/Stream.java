package org.ucxnio.bench.micro;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ucxnio.bench.child.Acceleration;
import org.ucxnio.bench.measure.Latencies;
import org.ucxnio.bench.measure.RateMeter;

/**
 * One-way throughput. The client announces a number of messages and their size (a header of 16 bytes), writes them, and
 * waits for the server's receipt of as many bytes; the time from the first write to the receipt counts. Socket options are the defaults, unless {@code no-delay} is set. The server reads into a buffer of one
 * message, but of 64 KiB at least, and verifies what falls into it.
 */
final class Stream implements Program {
    private static final int MIN_READ_SIZE = 64 * 1024;

    private final Options options;
    private final int size;
    private final ByteBuffer header;
    private Wire wire;
    private int checked;
    private StreamCheck check;
    private ByteBuffer readBuffer;

    Stream(Options options) {
        this.options = options;
        size = options.size();
        header = options.buffer(2 * Long.BYTES);
    }

    @Override
    public void serve(ServerSocketChannel listener) throws IOException {
        while (true) {
            try (Wire accepted = Wire.of(listener.accept(), options.selector())) {
                wire = accepted;
                receiveAll();
            }
        }
    }

    private void receiveAll() throws IOException {
        while (readHeader()) {
            int length = (int) header.getLong(Long.BYTES);
            long total = header.getLong(0) * length;
            ByteBuffer buffer = received(length);
            drain(buffer, total, check);
            header.clear().putLong(0, total);
            wire.write(header);
        }
    }

    /** The buffer that messages of {@code length} bytes are read into, with a check for them. */
    private ByteBuffer received(int length) {
        if (length != checked) {
            checked = length;
            check = new StreamCheck(length);
            readBuffer = options.buffer(Math.max(length, MIN_READ_SIZE));
        }
        return readBuffer;
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
    public void drive(SocketAddress server) throws IOException {
        SocketChannel channel = SocketChannel.open(server);
        try (Wire connected =
                Wire.of(options.noDelay() ? Sockets.withoutDelay(channel) : channel, options.selector())) {
            wire = connected;
            ByteBuffer buffer = options.buffer(size);
            Message.fill(buffer);
            long messages = warmUp(buffer, Math.max(1, MIN_READ_SIZE / size));
            options.awaitMove(1);
            messages = warmUp(buffer, messages);
            RateMeter meter = options.rateMeter();
            double[] allocated = new double[options.rounds()];
            Allocation allocation = new Allocation();
            for (int i = 0; i < options.rounds(); i++) {
                allocation.start();
                meter.begin();
                round(buffer, messages);
                double perSecond = meter.end(messages);
                allocated[i] = allocation.perOperation(messages);
                options.reporter()
                        .progress("round %d of %d: %.2f M messages/s, %.2f GB/s"
                                .formatted(i + 1, options.rounds(), perSecond / 1e6, perSecond * size / 1e9));
            }
            meter.report();
            options.reporter().result("bytes", meter.median() * size);
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
        long sent = messages;
        while (System.nanoTime() - end < 0 || sent < Acceleration.MOVE_CALLS) {
            if (nanos < options.roundNanos() / 2) {
                messages *= 2;
            }
            nanos = round(buffer, messages);
            sent += messages;
        }
        return Math.max(1, Math.round((double) messages * options.roundNanos() / nanos));
    }

    /** Sends {@code messages} messages and waits for the receipt; returns the time it took, ns. */
    private long round(ByteBuffer buffer, long messages) throws IOException {
        header.clear().putLong(0, messages).putLong(Long.BYTES, size);
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
