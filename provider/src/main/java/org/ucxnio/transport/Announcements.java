package org.ucxnio.transport;

import java.io.IOException;
import org.ucxnio.counters.Counter;

/**
 * What this side of a connection tells its peer besides bytes: where it receives and where its stream ends. Where there is a ring, it
 * goes through that, and so reaches the thread that looks there anyway; otherwise over the control connection. Guarded by the
 * worker's lock.
 */
final class Announcements {
    private final ControlPort control;
    private final WayToPeer way;
    private final SendSide send;
    private boolean exitTold;

    Announcements(ControlPort control, WayToPeer way, SendSide send) {
        this.control = control;
        this.way = way;
        this.send = send;
    }

    /** This side receives in the worker with this address, under this id. */
    void bound(byte[] workerAddress, int id) {
        if (!boundThroughRing(id)) {
            control.sendBound(workerAddress, id);
        }
    }

    private boolean boundThroughRing(int id) {
        try {
            return way.isOpen() && send.putBound(id);
        } catch (IOException e) {
            return false;
        }
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
