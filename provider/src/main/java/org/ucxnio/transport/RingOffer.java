package org.ucxnio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.ucxnio.ring.RingLayout;

/**
 * What the owner of a ring tells the one who is to write to it: {@code id:4 dataBytes:4 ownerLength:4 keyLength:4 owner key}, in
 * native byte order.
 *
 * @param id the owner's number for the ring
 * @param dataBytes which {@link RingLayout}
 * @param owner address of the owner's worker
 * @param key what the writer needs to map the memory
 */
record RingOffer(int id, int dataBytes, byte[] owner, byte[] key) {
    private static final int FIXED_LENGTH = 16;

    byte[] toBytes() {
        return ByteBuffer.allocate(FIXED_LENGTH + owner.length + key.length)
                .order(ByteOrder.nativeOrder())
                .putInt(id)
                .putInt(dataBytes)
                .putInt(owner.length)
                .putInt(key.length)
                .put(owner)
                .put(key)
                .array();
    }

    /** @throws IOException where the bytes are no offer */
    static RingOffer parse(byte[] bytes) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        if (bytes.length < FIXED_LENGTH) {
            throw new IOException("A ring offer of " + bytes.length + " bytes");
        }
        int id = in.getInt();
        int dataBytes = in.getInt();
        int ownerLength = in.getInt();
        int keyLength = in.getInt();
        if (!RingLayout.isValid(dataBytes)
                || ownerLength < 0
                || keyLength < 0
                || (long) ownerLength + keyLength != in.remaining()) {
            throw new IOException("A ring offer that contradicts itself");
        }
        byte[] owner = new byte[ownerLength];
        byte[] key = new byte[keyLength];
        in.get(owner).get(key);
        return new RingOffer(id, dataBytes, owner, key);
    }
}
