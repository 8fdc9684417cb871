package org.ucxnio.transport;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** A control connection whose messages wait until the test delivers them. */
final class TestControl implements ControlPort {
    /** What was said; {@code bytes} is the worker address of BOUND and the payload of DATA. */
    record Event(Kind kind, long value, byte[] bytes) {}

    enum Kind {
        BOUND,
        DATA,
        FIN,
        EXIT,
        END
    }

    private static final byte[] NONE = {};

    // -- guarded by this --
    private final Deque<Event> underWay = new ArrayDeque<>();
    private final List<Event> said = new ArrayList<>();
    private boolean closed;
    private boolean aborted;
    // -- end --

    private volatile boolean holdsConfirmations;
    private volatile Runnable heldConfirmation;

    private synchronized void say(Kind kind, long value, byte[] bytes) {
        if (!closed && !aborted) {
            underWay.add(new Event(kind, value, bytes));
            said.add(underWay.peekLast());
        }
    }

    @Override
    public void sendBound(byte[] workerAddress, int connectionId) {
        say(Kind.BOUND, connectionId, workerAddress);
    }

    @Override
    public void sendData(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        say(Kind.DATA, copy.length, copy);
    }

    @Override
    public void sendFin(long totalBytes) {
        say(Kind.FIN, totalBytes, NONE);
    }

    @Override
    public void sendExit(long totalBytes) {
        say(Kind.EXIT, totalBytes, NONE);
    }

    @Override
    public void confirm(Runnable then) {
        if (holdsConfirmations) {
            heldConfirmation = then;
        } else {
            then.run();
        }
    }

    /** From now on confirmations wait for {@link #confirmNow}. */
    void holdConfirmations() {
        holdsConfirmations = true;
    }

    void confirmNow() {
        Runnable then = heldConfirmation;
        heldConfirmation = null;
        then.run();
    }

    @Override
    public synchronized void abort() {
        if (!closed && !aborted) {
            underWay.clear();
            say(Kind.END, 0, NONE);
            aborted = true;
        }
    }

    @Override
    public synchronized void close() {
        say(Kind.END, 0, NONE);
        closed = true;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    synchronized boolean isAborted() {
        return aborted;
    }

    /** Everything said so far. */
    synchronized List<Event> said() {
        return new ArrayList<>(said);
    }

    List<Kind> kinds() {
        return said().stream().map(Event::kind).toList();
    }

    long count(Kind kind) {
        return kinds().stream().filter(kind::equals).count();
    }

    /** The last event of a kind. */
    Event last(Kind kind) {
        List<Event> events =
                said().stream().filter(event -> event.kind() == kind).toList();
        return events.get(events.size() - 1);
    }

    private synchronized Event poll() {
        return underWay.poll();
    }

    /** Delivers the next message to the other side; false when there is none. */
    boolean deliverOneTo(Connection peer) {
        Event event = poll();
        if (event == null) {
            return false;
        }
        switch (event.kind()) {
            case BOUND -> peer.onPeerBound(event.bytes(), (int) event.value());
            case DATA -> peer.onControlData(ByteBuffer.wrap(event.bytes()), false);
            case FIN -> peer.onControlFin(event.value());
            case EXIT -> peer.onControlExit(event.value());
            default -> peer.onControlClosed();
        }
        return true;
    }
}
