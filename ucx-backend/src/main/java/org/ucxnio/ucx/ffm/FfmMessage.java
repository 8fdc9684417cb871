package org.ucxnio.ucx.ffm;

import java.util.Objects;
import org.ucxnio.posix.ffm.Raw;
import org.ucxnio.ucx.NativeMemory;
import org.ucxnio.ucx.UcxMessage;

/** The one message a worker is delivering; empty between messages. */
final class FfmMessage implements UcxMessage {
    private long address;
    private int length;

    void wrap(long messageAddress, int messageLength) {
        address = messageAddress;
        length = messageLength;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public int getInt(int offset) {
        Objects.checkFromIndexSize(offset, Integer.BYTES, length);
        return Raw.getInt(address + offset);
    }

    @Override
    public long getLong(int offset) {
        Objects.checkFromIndexSize(offset, Long.BYTES, length);
        return Raw.getLong(address + offset);
    }

    @Override
    public void copyTo(int offset, NativeMemory target, int targetOffset, int copyLength) {
        Objects.checkFromIndexSize(offset, copyLength, length);
        Raw.copy(address + offset, ((FfmMemory) target).at(targetOffset, copyLength), copyLength);
    }
}
