package org.ucxnio.events;

import java.net.InetSocketAddress;
import jdk.jfr.FlightRecorder;

/**
 * Events for whoever records: nothing is made, and no class of the recorder's is used, unless a recording was started. Thread-safe.
 *
 * <p>The classes of events are named here by calls on themselves alone, none is given away as something else: to check that, the JVM would
 * load them with this class, which fails where there is no recorder.
 */
public final class Recorder {
    private static final boolean EXISTS =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private Recorder() {}

    private static boolean isOn() {
        return EXISTS && FlightRecorder.isInitialized();
    }

    /** A read has to sleep. Returns null where nobody records. */
    public static RecordedWait beginRead() {
        return isOn() ? new ReadEvent().begun() : null;
    }

    /** A write has to wait. Returns null where nobody records. */
    public static RecordedWait beginWrite() {
        return isOn() ? new WriteEvent().begun() : null;
    }

    /**
     * A connection has left TCP, in one direction at least.
     *
     * @param carrier what has its bytes now
     */
    public static void moved(InetSocketAddress local, InetSocketAddress remote, String carrier) {
        if (isOn()) {
            MovedEvent.tell(local, remote, carrier);
        }
    }
}
