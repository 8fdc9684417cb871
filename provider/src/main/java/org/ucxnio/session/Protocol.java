package org.ucxnio.session;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.ucxnio.link.Carrier;
import org.ucxnio.link.Lane;

/**
 * What is said over a session. All numbers are big-endian. Every message:
 *
 * <pre>
 *     length:2    of what follows, at most {@value #MAX_LENGTH}
 *     type:1
 *     HELLO       magic:8 version:4 port:2 carrier:1 introduction    both ends, first; the first two mean the same in every version
 *     PAIR        id:8 namespace:8 local remote lane                 client
 *     PAIRED      id:8 lane                                          server
 *     REFUSED     id:8 again:1 reason                                server; it has not looked at the client's lane
 *     CONFIRM     id:8                                               client
 *     CANCEL      id:8                                               client
 *     RELEASED    id:8                                               server; it does not look at the client's lane any more
 *     NOTE        number:4                                           both; only their carriers understand it
 *
 *     port                  of the listener that a companion port stands for; 0 on a Unix-domain socket
 *     carrier, introduction which one, and what it says: see {@link Carrier}
 *     local, remote         length:1 address:4 or 16, port:2    as the client sees them
 *     lane                  what {@link Lane#describe} says
 *     reason                UTF-8, the rest of the message
 * </pre>
 *
 * On a Unix-domain socket both ends say hello at once. On a companion port the server speaks first: a client that is not greeted so has
 * sent nothing to anyone.
 */
final class Protocol {
    static final int VERSION = 7;

    static final int MAX_LENGTH = 4096;
    static final int LENGTH_BYTES = 2;

    static final int HELLO = 1;
    static final int PAIR = 2;
    static final int PAIRED = 3;
    static final int REFUSED = 4;
    static final int CONFIRM = 5;
    static final int CANCEL = 6;
    static final int RELEASED = 7;
    static final int NOTE = 8;

    private static final long MAGIC = 0x7563_786e_696f_5331L;
    private static final int MAX_REASON_BYTES = 200;

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

    static ByteBuffer hello(int port, Carrier carrier) {
        return hello(VERSION, port, carrier);
    }

    static ByteBuffer hello(int version, int port, Carrier carrier) {
        ByteBuffer message = begin(HELLO)
                .putLong(MAGIC)
                .putInt(version)
                .putShort((short) port)
                .put((byte) carrier.kind());
        carrier.introduce(message);
        return end(message);
    }

    static ByteBuffer pair(long id, long namespace, AddressPair addresses, Lane lane) {
        ByteBuffer message = begin(PAIR).putLong(id).putLong(namespace);
        put(message, addresses.local());
        put(message, addresses.remote());
        lane.describe(message);
        return end(message);
    }

    static ByteBuffer paired(long id, Lane lane) {
        ByteBuffer message = begin(PAIRED).putLong(id);
        lane.describe(message);
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

    static ByteBuffer note(int number) {
        return end(begin(NOTE).putInt(number));
    }

    private static void put(ByteBuffer message, InetSocketAddress address) {
        byte[] host = address.getAddress().getAddress();
        message.put((byte) host.length).put(host).putShort((short) address.getPort());
    }

    // -- reading: what is too short is a BufferUnderflowException ----------------------------------------------------

    /** Everything of a hello but the introduction, which follows. */
    static void readHello(ByteBuffer body, int port, Carrier carrier) throws IOException {
        if (body.getLong() != MAGIC) {
            throw new IOException("the peer does not speak ucxnio's protocol");
        }
        int version = body.getInt();
        if (version != VERSION) {
            throw new IOException("the peer speaks version " + version + " of the protocol, this process " + VERSION);
        }
        int stands = body.getShort() & 0xffff;
        if (stands != port) {
            throw new IOException("the peer stands for port " + stands + ", not for " + port);
        }
        if (body.get() != carrier.kind()) {
            throw new IOException("the peer uses another carrier (ucxnio.host)");
        }
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
