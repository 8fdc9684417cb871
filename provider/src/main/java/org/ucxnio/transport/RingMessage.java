package org.ucxnio.transport;

import java.util.Objects;
import org.ucxnio.ring.RingReader;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcxMessage;

/** The current record of a ring, in the shape of a message. The header is the reader's copy, which the peer cannot change any more. */
final class RingMessage implements UcxMessage {
    private RingReader reader;

    RingMessage of(RingReader current) {
        reader = current;
        return this;
    }

    int typeAndLength() {
        return Frame.typeAndLength(reader.kind(), reader.length());
    }

    @Override
    public int length() {
        return Frame.HEADER_LENGTH + reader.length();
    }

    @Override
    public int getInt(int offset) {
        return switch (offset) {
            case Frame.CONNECTION_OFFSET -> reader.connection();
            case Frame.TYPE_LENGTH_OFFSET -> typeAndLength();
            default -> reader.memory().getInt(payload(offset, Integer.BYTES));
        };
    }

    @Override
    public long getLong(int offset) {
        return offset == Frame.POSITION_OFFSET
                ? reader.position()
                : reader.memory().getLong(payload(offset, Long.BYTES));
    }

    @Override
    public void copyTo(int offset, NativeMemory target, int targetOffset, int length) {
        target.buffer().put(targetOffset, reader.memory(), payload(offset, length), length);
    }

    private int payload(int offset, int length) {
        return reader.payload() + Objects.checkFromIndexSize(offset - Frame.PAYLOAD_OFFSET, length, reader.length());
    }
}
