package org.ucxnio.connect;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * What a server gives a client of the same host and user when a handshake is accepted, and the client brings along the next time,
 * instead of a handshake. Big-endian, {@value #LENGTH} bytes: {@code listener:8 secret:16}.
 *
 * @param listener the kernel's number for the companion's listening socket, 0 where the kernel does not tell: such a ticket is no use
 * @param secret chosen at random by each process
 */
record Ticket(long listener, UUID secret) {
    static final int LENGTH = 24;

    static final Ticket NONE = new Ticket(0, new UUID(0, 0));

    void encode(ByteBuffer target) {
        target.putLong(listener);
        target.putLong(secret.getMostSignificantBits()).putLong(secret.getLeastSignificantBits());
    }

    static Ticket decode(ByteBuffer source) {
        return new Ticket(source.getLong(), new UUID(source.getLong(), source.getLong()));
    }

    boolean isUsable() {
        return listener != 0;
    }

    @Override
    public String toString() {
        return "ticket of listener " + listener;
    }
}
