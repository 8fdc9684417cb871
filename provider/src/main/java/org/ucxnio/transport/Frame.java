package org.ucxnio.transport;

/**
 * Layout of a message between two workers. Little-endian (the only byte order ucxnio runs on), 16 bytes of header.
 *
 * <pre>
 *   0        4                8                16
 *   +--------+----------------+----------------+------------------+
 *   | conn   | type:4 len:28  | position       | payload (len)    |
 *   +--------+----------------+----------------+------------------+
 * </pre>
 *
 * {@code conn} is the id the receiver handed out. {@code position} is, for DATA, the stream offset of the first payload
 * byte (a check on order); for FIN the number of bytes of the whole stream; for ACK the number of bytes the application
 * has consumed, its payload being the number of messages received. URGENT is DATA of one byte that counts in the stream, but is read
 * only by a channel that takes urgent bytes inline. SWITCH says behind
 * how many bytes over TCP the stream goes on here, and SWITCHED that this is known. RESET breaks a stream off. LEFT says that
 * nobody reads any more. EXIT is a FIN for the case that the peer's socket ends and nothing follows. NOP belongs to no connection ({@code conn} is 0).
 */
final class Frame {
    static final int HEADER_LENGTH = 16;
    static final int ACK_PAYLOAD_LENGTH = 8;

    static final int CONNECTION_OFFSET = 0;
    static final int TYPE_LENGTH_OFFSET = 4;
    static final int POSITION_OFFSET = 8;
    static final int PAYLOAD_OFFSET = 16;

    static final int DATA = 0;
    static final int ACK = 1;
    static final int FIN = 2;
    static final int NOP = 3;
    static final int URGENT = 4;
    static final int SWITCH = 5;
    static final int SWITCHED = 6;
    static final int RESET = 7;
    static final int LEFT = 8;
    static final int EXIT = 9;

    /** How a reader has left: the position of a LEFT. */
    static final int READ_TO_THE_END = 1;

    static final int LEFT_UNREAD = 2;

    private static final int TYPE_SHIFT = 28;
    private static final int LENGTH_MASK = (1 << TYPE_SHIFT) - 1;

    private Frame() {}

    static int typeAndLength(int type, int length) {
        return type << TYPE_SHIFT | length;
    }

    static int type(int typeAndLength) {
        return typeAndLength >>> TYPE_SHIFT;
    }

    static int length(int typeAndLength) {
        return typeAndLength & LENGTH_MASK;
    }

    /** Space a frame takes in a slice: frames start at multiples of eight. */
    static int slotLength(int payloadLength) {
        return HEADER_LENGTH + payloadLength + 7 & ~7;
    }
}
