package org.ucxnio.posix;

/** States of a TCP connection, as Linux numbers them in {@code include/net/tcp_states.h}. */
public final class TcpState {
    /** Connected, and the end of the stream was sent by neither side. */
    public static final int ESTABLISHED = 1;

    public static final int SYN_SENT = 2;
    public static final int SYN_RECV = 3;

    /** This side has ended, which the peer has not confirmed. */
    public static final int FIN_WAIT1 = 4;

    /** This side has ended, and the peer has confirmed it. */
    public static final int FIN_WAIT2 = 5;

    /** Both sides have ended. */
    public static final int TIME_WAIT = 6;

    /** Not connected, or no longer: both sides have ended, or one has reset the connection. */
    public static final int CLOSE = 7;

    public static final int LISTEN = 10;

    private TcpState() {}

    /**
     * Whether nothing more comes from the peer: it has sent its end, or there is no connection any more.
     *
     * @param state 0 for none
     */
    public static boolean isPeerAtEnd(int state) {
        return switch (state) {
            case ESTABLISHED, SYN_SENT, SYN_RECV, FIN_WAIT1, FIN_WAIT2, LISTEN -> false;
            default -> true;
        };
    }
}
