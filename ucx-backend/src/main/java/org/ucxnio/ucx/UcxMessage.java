package org.ucxnio.ucx;

/**
 * A received message: a flyweight, valid only during {@link UcxWorkerListener#onMessage}. On shared memory the sender can
 * still change the bytes: copy before validating. Reads outside {@code 0..length()} throw
 * {@link IndexOutOfBoundsException}. Multi-byte values are in native byte order and need no alignment.
 */
public interface UcxMessage {
    int length();

    int getInt(int offset);

    long getLong(int offset);

    void copyTo(int offset, NativeMemory target, int targetOffset, int length);
}
