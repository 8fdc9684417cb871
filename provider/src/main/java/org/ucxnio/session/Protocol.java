package org.ucxnio.session;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.ucxnio.memory.SlabName;
import org.ucxnio.ring.Block;

/**
 * What is said over a session. All numbers are big-endian. Every message:
 *
 * <pre>
 *     length:2    of what follows, at most {@value #MAX_LENGTH}
 *     type:1
 *     HELLO       magic:8 version:4 token:16            both ends, first; the first two mean the same in every version
 *     PAIR        id:8 namespace:8 local remote block   client
 *     PAIRED      id:8 block                            server
 *     REFUSED     id:8 again:1 reason                   server; it has not looked at the client's block
 *     CONFIRM     id:8                                  client
 *     CANCEL      id:8                                  client
 *     RELEASED    id:8                                  server; it does not look at the client's block any more
 *     SLAB        slab:4                                both; the sender has made it
 *
 *     local, remote   length:1 address:4 or 16, port:2    as the client sees them
 *     block           slab:4 offset:4 bytes:4
 *     reason          UTF-8, the rest of the message
 * </pre>
 */
final class Protocol {
    static final int VERSION = 1;

    static final int MAX_LENGTH = 510;
    static final int LENGTH_BYTES = 2;

    static final int HELLO = 1;
    static final int PAIR = 2;
    static final int PAIRED = 3;
    static final int REFUSED = 4;
    static final int CONFIRM = 5;
    static final int CANCEL = 6;
    static final int RELEASED = 7;
    static final int SLAB = 8;

    private static final long MAGIC = 0x7563_786e_696f_5331L;
    private static final int MAX_REASON_BYTES = 200;

    /** Where a block is, as its writer names it. */
    record BlockName(int slab, int offset, int bytes) {}

    private Protocol() {}

    // -- writing -----------------------------------------------------------------------------------------------------

    private static ByteBuffer begin(int type) {
        return ByteBuffer.allocate(LENGTH_BYTES + MAX_LENGTH)
                .putShort((short) 0)
                .put((byte) type);
    }

    private static ByteBuffer end(ByteBuffer message) {
        message.putShort(0, (short) (message.position() - LENGTH_BYTES));
        // Most are short, and may have to wait.
        return ByteBuffer.wrap(Arrays.copyOf(message.array(), message.position()));
    }

    static ByteBuffer hello(byte[] token) {
        return hello(VERSION, token);
    }

    static ByteBuffer hello(int version, byte[] token) {
        return end(begin(HELLO).putLong(MAGIC).putInt(version).put(token));
    }

    static ByteBuffer pair(long id, long namespace, AddressPair addresses, Block block) {
        ByteBuffer message = begin(PAIR).putLong(id).putLong(namespace);
        put(message, addresses.local());
        put(message, addresses.remote());
        put(message, block);
        return end(message);
    }

    static ByteBuffer paired(long id, Block block) {
        ByteBuffer message = begin(PAIRED).putLong(id);
        put(message, block);
        return end(message);
    }

    static ByteBuffer refused(long id, boolean again, String reason) {
        byte[] text = reason.getBytes(StandardCharsets.UTF_8);
        ByteBuffer message = begin(REFUSED).putLong(id).put((byte) (again ? 1 : 0));
        return end(message.put(text, 0, Math.min(text.length, MAX_REASON_BYTES)));
    }

    /** CONFIRM, CANCEL or RELEASED. */
    static ByteBuffer about(int type, long id) {
        return end(begin(type).putLong(id));
    }

    static ByteBuffer slab(int number) {
        return end(begin(SLAB).putInt(number));
    }

    private static void put(ByteBuffer message, InetSocketAddress address) {
        byte[] host = address.getAddress().getAddress();
        message.put((byte) host.length).put(host).putShort((short) address.getPort());
    }

    private static void put(ByteBuffer message, Block block) {
        message.putInt(block.slab()).putInt(block.offset()).putInt(block.bytes());
    }

    // -- reading: what is too short is a BufferUnderflowException ----------------------------------------------------

    /** The peer's token. */
    static byte[] readHello(ByteBuffer body) throws IOException {
        if (body.getLong() != MAGIC) {
            throw new IOException("the peer does not speak ucxnio's protocol");
        }
        int version = body.getInt();
        if (version != VERSION) {
            throw new IOException("the peer speaks version " + version + " of the protocol, this process " + VERSION);
        }
        byte[] token = new byte[SlabName.TOKEN_BYTES];
        body.get(token);
        return token;
    }

    static AddressPair readAddresses(ByteBuffer body) throws IOException {
        InetSocketAddress local = readAddress(body);
        return new AddressPair(local, readAddress(body));
    }

    private static InetSocketAddress readAddress(ByteBuffer body) throws IOException {
        int length = body.get();
        if (length != 4 && length != 16) {
            throw new IOException("the peer sent an address of " + length + " bytes");
        }
        byte[] host = new byte[length];
        body.get(host);
        return new InetSocketAddress(InetAddress.getByAddress(host), body.getShort() & 0xffff);
    }

    static BlockName readBlock(ByteBuffer body) {
        return new BlockName(body.getInt(), body.getInt(), body.getInt());
    }

    /** Fit to be printed. */
    static String readReason(ByteBuffer body) {
        byte[] text = new byte[Math.min(body.remaining(), MAX_REASON_BYTES)];
        body.get(text).position(body.limit());
        StringBuilder reason = new StringBuilder(new String(text, StandardCharsets.UTF_8));
        for (int i = 0; i < reason.length(); i++) {
            if (Character.isISOControl(reason.charAt(i)) || reason.charAt(i) == '\uFFFD') {
                reason.setCharAt(i, '?');
            }
        }
        return reason.toString();
    }
}
