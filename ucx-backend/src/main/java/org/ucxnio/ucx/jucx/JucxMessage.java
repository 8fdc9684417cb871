package org.ucxnio.ucx.jucx;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcxMessage;

/** The one message a worker is delivering; empty between messages. */
final class JucxMessage implements UcxMessage {
    private final Views views = new Views();
    private ByteBuffer view;
    private int start;
    private int length;

    void wrap(long messageAddress, int messageLength) {
        view = views.at(messageAddress);
        start = Views.index(messageAddress);
        length = messageLength;
    }

    void clear() {
        length = 0;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public int getInt(int offset) {
        Objects.checkFromIndexSize(offset, Integer.BYTES, length);
        return view.getInt(start + offset);
    }

    @Override
    public long getLong(int offset) {
        Objects.checkFromIndexSize(offset, Long.BYTES, length);
        return view.getLong(start + offset);
    }

    @Override
    public void copyTo(int offset, NativeMemory target, int targetOffset, int copyLength) {
        Objects.checkFromIndexSize(offset, copyLength, length);
        JucxMemory memory = (JucxMemory) target;
        // Checks the bounds, and that it is open.
        memory.at(targetOffset, copyLength);
        if (copyLength > 0) {
            memory.buffer().put(targetOffset, view, start + offset, copyLength);
        }
    }
}
