package org.ucxnio.transport;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;

/**
 * What a process tells peers of itself before connections between the two can go over UCX. Big-endian, {@value #LENGTH} bytes:
 *
 * <pre>
 *   flags:2 process:16 host:16 shm:8 ucxVersion:4 windowBytes:4 windowMessages:4 pid:4
 * </pre>
 *
 * @param flags which kinds of link the process can use
 * @param processId chosen at random by each process
 * @param hostId kernel and namespaces, hashed: equal where shared memory can be shared
 * @param shmParameters the shared-memory parameters that two sides must agree on, hashed
 * @param ucxVersion {@code major << 16 | minor << 8 | release}
 * @param pid number of the process, which means something to the other side where both have the same PID namespace
 */
record Introduction(
        int flags,
        UUID processId,
        byte[] hostId,
        long shmParameters,
        int ucxVersion,
        int windowBytes,
        int windowMessages,
        int pid) {
    static final int LENGTH = 58;
    static final int HOST_ID_LENGTH = 16;

    static final int FLAG_NETWORK_LINKS = 1;

    private static final int MIN_WINDOW = 16 << 10;
    private static final int MAX_WINDOW = 64 << 20;
    private static final int MIN_MESSAGES = 16;
    private static final int MAX_MESSAGES = 1 << 20;

    void encode(ByteBuffer target) {
        target.putShort((short) flags);
        target.putLong(processId.getMostSignificantBits()).putLong(processId.getLeastSignificantBits());
        target.put(hostId)
                .putLong(shmParameters)
                .putInt(ucxVersion)
                .putInt(windowBytes)
                .putInt(windowMessages)
                .putInt(pid);
    }

    /** Decodes {@value #LENGTH} bytes, checking every value against its bounds. */
    static Introduction decode(ByteBuffer source) throws IOException {
        if (source.remaining() != LENGTH) {
            throw new IOException("the peer introduces itself in " + source.remaining() + " bytes");
        }
        int flags = Short.toUnsignedInt(source.getShort());
        UUID processId = new UUID(source.getLong(), source.getLong());
        byte[] hostId = new byte[HOST_ID_LENGTH];
        source.get(hostId);
        Introduction introduction = new Introduction(
                flags,
                processId,
                hostId,
                source.getLong(),
                source.getInt(),
                source.getInt(),
                source.getInt(),
                source.getInt());
        if (introduction.windowBytes < MIN_WINDOW
                || introduction.windowBytes > MAX_WINDOW
                || introduction.windowMessages < MIN_MESSAGES
                || introduction.windowMessages > MAX_MESSAGES) {
            throw new IOException("the peer's window is out of bounds");
        }
        return introduction;
    }

    boolean sameHostAs(Introduction other) {
        return Arrays.equals(hostId, other.hostId);
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Introduction introduction && processId.equals(introduction.processId);
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
