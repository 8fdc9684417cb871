package org.ucxnio.connect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;

/**
 * What each side says of itself during the handshake. Big-endian, {@value #LENGTH} bytes:
 *
 * <pre>
 *   magic:4 version:2 flags:2 process:16 host:16 shm:8 ucxVersion:4 windowBytes:4 windowMessages:4 pid:4
 * </pre>
 *
 * @param flags which kinds of link the side can use
 * @param processId chosen at random by each process
 * @param hostId kernel and namespaces, hashed: equal where shared memory can be shared
 * @param shmParameters the shared-memory parameters that two sides must agree on, hashed
 * @param ucxVersion {@code major << 16 | minor << 8 | release}
 * @param pid number of the process, which means something to the other side where both have the same PID namespace
 */
record Hello(
        int flags,
        UUID processId,
        byte[] hostId,
        long shmParameters,
        int ucxVersion,
        int windowBytes,
        int windowMessages,
        int pid) {
    static final int VERSION = 3;
    static final int LENGTH = 64;
    static final int HOST_ID_LENGTH = 16;

    static final int FLAG_HOST_LINKS = 1;
    static final int FLAG_NETWORK_LINKS = 2;

    /** A ticket follows, and no answer is waited for. */
    static final int FLAG_TICKET = 4;

    private static final int FLAGS_OFFSET = 6;

    private static final int MAGIC = 0x5563584e;
    private static final int MIN_WINDOW = 16 << 10;
    private static final int MAX_WINDOW = 64 << 20;
    private static final int MIN_MESSAGES = 16;
    private static final int MAX_MESSAGES = 1 << 20;

    void encode(ByteBuffer target) {
        target.putInt(MAGIC).putShort((short) VERSION).putShort((short) flags);
        target.putLong(processId.getMostSignificantBits()).putLong(processId.getLeastSignificantBits());
        target.put(hostId)
                .putLong(shmParameters)
                .putInt(ucxVersion)
                .putInt(windowBytes)
                .putInt(windowMessages)
                .putInt(pid);
    }

    Hello withTicket() {
        return new Hello(
                flags | FLAG_TICKET, processId, hostId, shmParameters, ucxVersion, windowBytes, windowMessages, pid);
    }

    /** Whether a ticket follows the hello that begins at position 0. */
    static boolean announcesTicket(ByteBuffer source) {
        return (source.getShort(FLAGS_OFFSET) & FLAG_TICKET) != 0;
    }

    /** Decodes {@value #LENGTH} bytes, checking every value against its bounds. */
    static Hello decode(ByteBuffer source) throws IOException {
        if (source.getInt() != MAGIC) {
            throw new IOException("not a ucxnio handshake");
        }
        int version = Short.toUnsignedInt(source.getShort());
        if (version != VERSION) {
            throw new IOException("protocol version " + version + " where " + VERSION + " is spoken");
        }
        int flags = Short.toUnsignedInt(source.getShort());
        UUID processId = new UUID(source.getLong(), source.getLong());
        byte[] hostId = new byte[HOST_ID_LENGTH];
        source.get(hostId);
        Hello hello = new Hello(
                flags,
                processId,
                hostId,
                source.getLong(),
                source.getInt(),
                source.getInt(),
                source.getInt(),
                source.getInt());
        if (hello.windowBytes < MIN_WINDOW
                || hello.windowBytes > MAX_WINDOW
                || hello.windowMessages < MIN_MESSAGES
                || hello.windowMessages > MAX_MESSAGES) {
            throw new IOException("a window out of bounds");
        }
        return hello;
    }

    boolean sameHostAs(Hello other) {
        return Arrays.equals(hostId, other.hostId);
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Hello hello && processId.equals(hello.processId);
    }

    @Override
    public int hashCode() {
        return processId.hashCode();
    }

    @Override
    public String toString() {
        return "process " + processId;
    }
}
