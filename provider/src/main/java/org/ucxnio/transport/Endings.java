package org.ucxnio.transport;

import java.io.IOException;
import org.ucxnio.counters.Counter;

/**
 * How this side of a connection tells its peer where its stream ends. Where there is a ring, it goes through that, behind the bytes, and
 * the end of the control connection has the peer look there; otherwise over the control connection. Guarded by the worker's lock.
 */
final class Endings {
    private final ControlPort control;
    private final WayToPeer way;
    private final SendSide send;
    private boolean exitTold;

    Endings(ControlPort control, WayToPeer way, SendSide send) {
        this.control = control;
        this.way = way;
        this.send = send;
    }

    /** The stream ends behind what was written; the end of the control connection follows. */
    void lastWord() {
        if (!lastWordThroughRing()) {
            control.sendFin(send.accepted());
        }
    }

    private boolean lastWordThroughRing() {
        try {
            return way.isOpen() && send.putLastWord();
        } catch (IOException e) {
            return false;
        }
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
