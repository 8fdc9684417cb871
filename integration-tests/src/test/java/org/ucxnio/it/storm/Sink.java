package org.ucxnio.it.storm;

import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** The other end of the stream of a {@link Source}. For one thread at a time. */
final class Sink {
    /** The writer of a stream that ended before it said who it is. */
    static final int UNKNOWN = -1;

    private final CRC32C all = new CRC32C();
    private final CRC32C one = new CRC32C();
    private final ByteBuffer head = ByteBuffer.allocate(Source.HEAD);
    private int writer = UNKNOWN;
    private int left;
    private long total;
    private boolean ended;

    Sink() {
        head.limit(Integer.BYTES);
    }

    int writer() {
        return writer;
    }

    /** Bytes so far. */
    long total() {
        return total;
    }

    /**
     * Takes in what has come.
     *
     * @throws IllegalStateException where it is not what was sent
     */
    void accept(ByteBuffer bytes) {
        total += bytes.remaining();
        while (bytes.hasRemaining()) {
            if (ended) {
                throw new IllegalStateException(bytes.remaining() + " bytes behind the end");
            }
            if (left == 0) {
                header(bytes);
            } else {
                payload(bytes);
            }
        }
    }

    private void header(ByteBuffer bytes) {
        while (head.hasRemaining() && bytes.hasRemaining()) {
            head.put(bytes.get());
        }
        if (head.hasRemaining()) {
            return;
        }
        if (writer == UNKNOWN) {
            writer = head.flip().getInt();
            head.clear();
            return;
        }
        left = head.getInt(0);
        if (left < 0 || left > Source.LARGEST) {
            throw new IllegalStateException("A piece of " + left + " bytes, before byte " + total);
        }
        if (left == 0) {
            ended = true;
            check(all);
        }
    }

    private void payload(ByteBuffer bytes) {
        int length = Math.min(left, bytes.remaining());
        ByteBuffer part = bytes.slice(bytes.position(), length);
        one.update(part.duplicate());
        all.update(part);
        bytes.position(bytes.position() + length);
        left -= length;
        if (left == 0) {
            check(one);
            one.reset();
            head.clear();
        }
    }

    private void check(CRC32C sum) {
        int expected = head.getInt(Integer.BYTES);
        if ((int) sum.getValue() != expected) {
            throw new IllegalStateException("Wrong bytes before byte " + total);
        }
    }

    /** The stream has ended. A writer that is killed may end it early while it is TCP's: nothing else has broken then. */
    void end() throws EOFException {
        if (!ended) {
            throw new EOFException("The stream ended early, behind byte " + total);
        }
    }
}
