package org.ucxnio.ucx.fake;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcxMessage;

/** The message being delivered; empty before and afterwards, so that keeping it is noticed. */
final class FakeMessage implements UcxMessage {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private ByteBuffer bytes = NOTHING;

    void wrap(byte[] content) {
        bytes = content == null ? NOTHING : ByteBuffer.wrap(content).order(ByteOrder.nativeOrder());
    }

    @Override
    public int length() {
        return bytes.capacity();
    }

    @Override
    public int getInt(int offset) {
        return bytes.getInt(offset);
    }

    @Override
    public long getLong(int offset) {
        return bytes.getLong(offset);
    }

    @Override
    public void copyTo(int offset, NativeMemory target, int targetOffset, int length) {
        ((FakeMemory) target).open(targetOffset, length).put(targetOffset, bytes, offset, length);
    }
}
