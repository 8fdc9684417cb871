package org.ucxnio.it.moving;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.ucxnio.it.harness.BytePattern;
import org.ucxnio.it.harness.ChannelIo;

/** One direction of a connection: bytes of a pattern, in pieces of random sizes and buffers. For a writer and a reader, one thread each. */
final class Stream {
    private static final int LARGEST = 300_000;

    private final BytePattern outgoing;
    private final BytePattern incoming;
    private final SplittableRandom writersRandom;
    private final SplittableRandom readersRandom;

    Stream(long seed) {
        outgoing = new BytePattern(seed);
        incoming = new BytePattern(seed);
        SplittableRandom random = new SplittableRandom(seed);
        writersRandom = random.split();
        readersRandom = random.split();
    }

    /** Bytes written so far. */
    long written() {
        return outgoing.position();
    }

    /** Bytes read so far. */
    long read() {
        return incoming.position();
    }

    /** Writes the next bytes in pieces; returns how many. */
    long write(ChannelIo io, long count) throws IOException {
        long left = count;
        while (left > 0) {
            int length = (int) Math.min(left, 1 + length(writersRandom));
            ByteBuffer bytes = buffer(writersRandom, length);
            int start = bytes.position();
            outgoing.fill(bytes);
            bytes.position(start);
            if (writersRandom.nextInt(4) == 0) {
                io.writeFully(cut(writersRandom, bytes));
            } else {
                io.writeFully(bytes);
            }
            left -= length;
        }
        return count;
    }

    /** Reads and checks exactly this many bytes. */
    long read(ChannelIo io, long count) throws IOException {
        long end = incoming.position() + count;
        while (incoming.position() < end) {
            if (!readSome(io, end - incoming.position())) {
                throw new IllegalStateException(
                        "The stream ended at byte " + incoming.position() + " instead of " + end);
            }
        }
        return count;
    }

    /** Reads and checks until the end of the stream; returns how many bytes there were in all. */
    long readToEnd(ChannelIo io) throws IOException {
        while (readSome(io, Long.MAX_VALUE)) {
            // until the end
        }
        return incoming.position();
    }

    private boolean readSome(ChannelIo io, long most) throws IOException {
        int length = (int) Math.min(most, 1 + length(readersRandom));
        ByteBuffer whole = buffer(readersRandom, length);
        if (readersRandom.nextInt(4) > 0) {
            ByteBuffer view = whole.duplicate();
            int count = io.readSome(whole);
            if (count >= 0) {
                incoming.verify(view.limit(whole.position()));
            }
            return count >= 0;
        }
        ByteBuffer[] parts = cut(readersRandom, whole);
        long count = io.readScattered(parts);
        if (count < 0) {
            return false;
        }
        long before = incoming.position();
        for (ByteBuffer part : parts) {
            incoming.verify(part.flip());
        }
        if (incoming.position() - before != count) {
            throw new IllegalStateException(
                    "A read returned " + count + " and moved the buffers by " + (incoming.position() - before));
        }
        return true;
    }

    /** Mostly small, sometimes large, often around sizes at which rings and records end. */
    private static int length(SplittableRandom random) {
        int[] edges = {1, 56, 57, 64, 3584, 4096, 8192, 16_384, 65_536, 262_144};
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt(8);
            case 1, 2 -> random.nextInt(200);
            case 3 -> random.nextInt(10_000);
            case 4 -> Math.max(0, edges[random.nextInt(edges.length)] + random.nextInt(-2, 2));
            default -> random.nextInt(LARGEST);
        };
    }

    private static ByteBuffer buffer(SplittableRandom random, int length) {
        int before = random.nextInt(16);
        ByteBuffer buffer = random.nextBoolean()
                ? ByteBuffer.allocate(before + length)
                : ByteBuffer.allocateDirect(before + length);
        return buffer.position(before);
    }

    /** What remains of a buffer in parts, of which some may be empty. */
    private static ByteBuffer[] cut(SplittableRandom random, ByteBuffer whole) {
        int first = random.nextInt(whole.remaining() + 1);
        int second = first + random.nextInt(whole.remaining() - first + 1);
        int start = whole.position();
        return new ByteBuffer[] {
            whole.slice(start, first),
            whole.slice(start + first, second - first),
            whole.slice(start + second, whole.remaining() - second)
        };
    }
}
