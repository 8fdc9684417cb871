package org.ucxnio.channel;

import java.nio.ByteBuffer;

/**
 * What {@code FileChannel.transferTo} writes at a time to channels that are not the JDK's own; to those the kernel copies the file. A socket keeps
 * short segments back until what is on its way is confirmed, unless the application has set {@code TCP_NODELAY}, and such a piece is shorter
 * than a segment within a host: each would wait until the peer's kernel confirms without being asked, 40 ms.
 */
final class FilePieces {
    /** Java 17 to 25. */
    static final int BYTES = 8192;

    private FilePieces() {}

    /** Whether a buffer may be such a piece, and not the last of a transfer. */
    static boolean isOne(ByteBuffer source) {
        return source.capacity() == BYTES && source.remaining() == BYTES && !source.isDirect();
    }
}
