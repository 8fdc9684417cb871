package org.ucxnio.bench.aeron;

import io.aeron.FragmentAssembler;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The server's side: sends everything back, or takes streams and sends a receipt for each. */
final class AeronServer {
    private final AeronLink link;
    private final UnsafeBuffer receipt = new UnsafeBuffer(new byte[Long.BYTES]);
    private long expected;
    private long received;

    AeronServer(AeronLink link) {
        this.link = link;
    }

    /** Serves until this thread is interrupted. */
    void echo() {
        poll(AeronLink.whole((buffer, offset, length, header) -> send(buffer, offset, length)));
    }

    /** Takes streams, each behind a message that says how many messages it has. */
    void take() {
        poll(AeronLink.whole((buffer, offset, length, header) -> take(buffer, offset, length)));
    }

    private void poll(FragmentAssembler handler) {
        while (!Thread.currentThread().isInterrupted()) {
            if (link.poll(handler) == 0) {
                Thread.onSpinWait();
            }
        }
    }

    private void take(DirectBuffer buffer, int offset, int length) {
        if (received == expected) {
            expected = buffer.getLong(offset);
            received = 0;
            return;
        }
        AeronMessage.check(buffer, offset, length, received);
        received++;
        if (received == expected) {
            receipt.putLong(0, received);
            send(receipt, 0, Long.BYTES);
            expected = 0;
            received = 0;
        }
    }

    private void send(DirectBuffer buffer, int offset, int length) {
        try {
            link.send(buffer, offset, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
