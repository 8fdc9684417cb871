package org.ucxnio.transport;

import org.ucxnio.counters.Counter;

/**
 * How this side of a connection tells its peer over the control connection where its stream ends. Guarded by the worker's lock.
 */
final class Endings {
    private final ControlPort control;
    private final SendSide send;
    private boolean exitTold;

    Endings(ControlPort control, SendSide send) {
        this.control = control;
        this.send = send;
    }

    /** The stream ends behind what was written; the end of the control connection follows. */
    void lastWord() {
        control.sendFin(send.accepted());
    }

    /** Sends what waits for a way to the peer over the control connection. */
    void staged() {
        send.drainStaged(
                bytes -> {
                    Counter.CONTROL_BYTES_SENT.add(bytes.remaining());
                    control.sendData(bytes);
                },
                control::sendUrgent);
    }

    /** The process ends: where the stream does, if nothing else follows. Once. */
    void exit(long total) {
        if (!exitTold) {
            exitTold = true;
            control.sendExit(total);
        }
    }

    boolean exitTold() {
        return exitTold;
    }
}
