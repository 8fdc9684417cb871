package org.ucxnio.transport;

/** Whether the control connection of a connection still connects. */
enum ControlState {
    OPEN,
    /** The peer has closed its socket, or died. */
    PEER_CLOSED,
    /** We have closed ours. */
    CLOSED
}
