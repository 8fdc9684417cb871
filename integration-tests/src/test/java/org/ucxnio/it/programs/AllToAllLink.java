package org.ucxnio.it.programs;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.ucxnio.it.harness.BytePattern;

/** A connection between two processes, and what goes over it each way in one exchange of messages. One thread uses it at a time. */
final class AllToAllLink {
    /** Messages sent before others get their turn. */
    private static final int BURST = 16;

    final SocketChannel channel;
    private final BytePattern outgoing;
    private final BytePattern incoming;
    private ByteBuffer message = ByteBuffer.allocateDirect(0);
    private long toSend;
    private long toReceive;

    AllToAllLink(SocketChannel channel, long outgoingSeed, long incomingSeed) {
        this.channel = channel;
        this.outgoing = new BytePattern(outgoingSeed);
        this.incoming = new BytePattern(incomingSeed);
    }

    void begin(int messageBytes, long bytes) {
        message = ByteBuffer.allocateDirect(messageBytes);
        message.flip();
        toSend = bytes;
        toReceive = bytes;
    }

    boolean hasToSend() {
        return toSend > 0;
    }

    boolean isDone() {
        return toSend == 0 && toReceive == 0;
    }

    /** Writes a few messages, each by a call of its own, unless the channel takes no more. */
    void send() throws IOException {
        for (int i = 0; i < BURST && toSend > 0; i++) {
            if (!message.hasRemaining()) {
                message.clear();
                outgoing.fill(message);
                message.flip();
            }
            toSend -= channel.write(message);
            if (message.hasRemaining()) {
                return;
            }
        }
    }

    /** Reads what is there, and compares it. */
    void receive(ByteBuffer buffer) throws IOException {
        // What comes behind it belongs to the next exchange.
        buffer.clear().limit((int) Math.min(buffer.capacity(), toReceive));
        int count = channel.read(buffer);
        if (count < 0) {
            throw new EOFException("The stream of " + channel + " ends with " + toReceive + " bytes missing");
        }
        incoming.verify(buffer.flip());
        toReceive -= count;
    }

    boolean hasToReceive() {
        return toReceive > 0;
    }

    @Override
    public String toString() {
        return channel + ", " + toSend + " bytes to send, " + toReceive + " to receive";
    }
}
