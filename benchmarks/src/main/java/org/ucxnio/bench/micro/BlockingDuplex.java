package org.ucxnio.bench.micro;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A connection in blocking mode: one thread reads, another one writes. */
final class BlockingDuplex implements DuplexWire {
    private final SocketChannel channel;
    private volatile IOException failure;

    BlockingDuplex(SocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public void read(ByteBuffer buffer) throws IOException {
        int count = 0;
        while (buffer.hasRemaining() && count >= 0) {
            count = channel.read(buffer);
        }
    }

    @Override
    public void write(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    @Override
    public void exchange(long messages, int size, ByteBuffer out, ByteBuffer in)
            throws IOException, InterruptedException {
        Thread writer = new Thread(() -> sendAll(messages, size, out), "writer");
        writer.setDaemon(true);
        writer.start();
        StreamCheck check = new StreamCheck(size);
        long total = messages * size;
        long offset = 0;
        while (offset < total) {
            offset += DuplexWire.receive(channel, in, check, offset, total);
        }
        writer.join();
        if (failure != null) {
            throw failure;
        }
    }

    private void sendAll(long messages, int size, ByteBuffer out) {
        try {
            for (long number = 0; number < messages; number++) {
                out.clear();
                Message.stamp(out, size, number);
                write(out);
            }
        } catch (IOException e) {
            failure = e;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
