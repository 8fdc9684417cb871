package org.ucxnio.connect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import org.ucxnio.counters.Log;
import org.ucxnio.transport.Connection;
import org.ucxnio.transport.ControlPort;

/**
 * The control connection of an accelerated connection: a kernel socket on which the two sides say where they receive and where
 * their streams end, and whose end tells of the peer's death. Messages are {@code type:1 length:3 payload}, big-endian.
 *
 * <p>Sending is thread-safe (the monitor guards the outgoing queue and is a leaf); receiving belongs to the control loop.
 */
final class ControlConnection implements ControlPort, ControlLoop.Handler {
    private static final int BOUND = 1;
    private static final int DATA = 2;
    private static final int FIN = 3;
    private static final int EXIT = 4;
    private static final int URGENT = 5;

    private static final int HEADER_LENGTH = 4;
    private static final int MAX_PAYLOAD = ControlLoop.BUFFER_BYTES - HEADER_LENGTH;
    private static final int MAX_ADDRESS = 4096;
    private static final long LINGER_NANOS = 5_000_000_000L;

    private final ControlLoop loop;
    private final SocketChannel socket;
    private final String peerName;

    /** Set once, before the loop serves the socket. */
    private Connection connection;

    /** Set once, before anyone but the loop knows this object. */
    private volatile Registration registration;

    /** Start of a message whose rest has not arrived; owned by the loop. */
    private byte[] partial;

    /** The port that a greeting may stand for which the peer sent before it saw our ticket; 0 where none can come. */
    private int greetedPort;

    // -- guarded by this --
    private final Deque<ByteBuffer> outgoing = new ArrayDeque<>(0);
    private boolean closing;
    private boolean broken;

    /** Stream bytes went this way. */
    private boolean dataSent;

    // -- end --

    /** Written with the monitor held; the loop's thread looks without whether there is anything to do. */
    private volatile boolean awaitsSpace;

    ControlConnection(ControlLoop loop, SocketChannel socket, String peerName) {
        this.loop = loop;
        this.socket = socket;
        this.peerName = peerName;
    }

    /**
     * Starts receiving. Loop's thread.
     *
     * @param before the socket's registration until now, or null where it has none
     */
    void start(Connection target, Registration before) throws IOException {
        connection = target;
        if (before == null) {
            startUnregistered();
        } else {
            registration = before;
            before.become(this);
            before.interest(SelectionKey.OP_READ);
        }
    }

    /**
     * As {@link #start(Connection, Registration)}, from any thread, of a connection made with a ticket: the server has greeted us if it was faster than our hello.
     */
    void start(Connection target, int port) throws IOException {
        connection = target;
        greetedPort = port;
        startUnregistered();
    }

    private void startUnregistered() throws IOException {
        registration = loop.register(socket, 0, this);
        registration.interest(SelectionKey.OP_READ);
    }

    /** Receives what is there already. Loop's thread. */
    void receiveNow() {
        try {
            receive();
        } catch (IOException e) {
            registration.end();
            onFailure(e);
        }
    }

    @Override
    public void sendBound(byte[] workerAddress, int connectionId) {
        ByteBuffer message = message(BOUND, Integer.BYTES + workerAddress.length);
        send(message.putInt(connectionId).put(workerAddress).flip());
    }

    @Override
    public void sendData(ByteBuffer bytes) {
        sendBytes(DATA, bytes);
    }

    @Override
    public void sendUrgent(ByteBuffer oneByte) {
        sendBytes(URGENT, oneByte);
    }

    private void sendBytes(int type, ByteBuffer bytes) {
        synchronized (this) {
            dataSent = true;
        }
        while (bytes.hasRemaining()) {
            int length = Math.min(bytes.remaining(), MAX_PAYLOAD);
            ByteBuffer message = message(type, length);
            message.put(bytes.slice().limit(length)).flip();
            bytes.position(bytes.position() + length);
            send(message);
        }
    }

    @Override
    public void sendFin(long totalBytes) {
        send(message(FIN, Long.BYTES).putLong(totalBytes).flip());
    }

    @Override
    public void sendExit(long totalBytes) {
        send(message(EXIT, Long.BYTES).putLong(totalBytes).flip());
    }

    private static ByteBuffer message(int type, int payloadLength) {
        return ByteBuffer.allocate(HEADER_LENGTH + payloadLength).putInt(type << 24 | payloadLength);
    }

    private synchronized void send(ByteBuffer message) {
        if (closing || broken) {
            return;
        }
        outgoing.add(message);
        if (outgoing.size() == 1) {
            flush();
        }
    }

    private synchronized void flush() {
        try {
            while (!outgoing.isEmpty()) {
                socket.write(outgoing.peek());
                if (outgoing.peek().hasRemaining()) {
                    watchForSpace();
                    return;
                }
                outgoing.poll();
            }
        } catch (IOException e) {
            broken = true;
            outgoing.clear();
            Log.debug("Control connection with " + peerName + ": " + e.getMessage());
        }
        if (closing) {
            end();
        }
    }

    /** Everything has been handed to the kernel, or nothing more can be. */
    private void end() {
        if (dataSent && !broken) {
            linger();
        } else {
            closeSocket();
        }
    }

    /**
     * The kernel throws away what it has not delivered yet when a socket is closed before all that came was read, and the peer may say
     * where it receives at any moment. So this side only ends its stream, and goes on reading until the peer has ended its own.
     */
    private void linger() {
        try {
            socket.shutdownOutput();
            loop.execute(() -> loop.schedule(LINGER_NANOS, this::closeSocket));
        } catch (IOException e) {
            closeSocket();
        }
    }

    private void closeSocket() {
        registration.close();
    }

    private void watchForSpace() {
        try {
            awaitsSpace = true;
            registration.interest(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        } catch (IOException | RuntimeException e) {
            Log.debug("Control connection with " + peerName + " ended while it was sending");
        }
    }

    @Override
    public void confirm(Runnable then) {
        loop.execute(() -> {
            receiveAll();
            then.run();
        });
    }

    private void receiveAll() {
        try {
            while (!registration.isEnded() && receive() > 0) {
                // until nothing is left
            }
        } catch (IOException e) {
            if (!registration.isEnded()) {
                registration.end();
                onFailure(e);
            }
        }
    }

    /**
     * A process that ends with something unread resets its connections, and what the peer's kernel does not have by then is lost;
     * what waits for room in the socket is lost anyway.
     */
    @Override
    public synchronized boolean isDelivered() {
        return broken || registration == null || outgoing.isEmpty() && registration.unconfirmedBytes() == 0;
    }

    @Override
    public synchronized void abort() {
        broken = true;
        outgoing.clear();
        try {
            socket.shutdownOutput();
            socket.shutdownInput();
        } catch (IOException e) {
            Log.debug("Control connection with " + peerName + ": " + e.getMessage());
        }
    }

    @Override
    public synchronized void close() {
        if (!closing) {
            closing = true;
            if (outgoing.isEmpty()) {
                end();
            }
        }
    }

    @Override
    public void onReady(Registration ready) throws IOException {
        if (awaitsSpace) {
            flushWhatWaits(ready);
        }
        if (!ready.isEnded()) {
            receive();
        }
    }

    private synchronized void flushWhatWaits(Registration ready) throws IOException {
        if (awaitsSpace && !ready.isEnded()) {
            awaitsSpace = false;
            ready.interest(SelectionKey.OP_READ);
            flush();
        }
    }

    private int receive() throws IOException {
        ByteBuffer buffer = loop.buffer();
        if (partial != null) {
            buffer.put(partial);
            partial = null;
        }
        int count = socket.read(buffer);
        if (count < 0) {
            registration.end();
            connection.onControlClosed();
            closeIfLingering();
            return count;
        }
        buffer.flip();
        if (greetedPort == 0 || passGreeting(buffer)) {
            while (handleOne(buffer)) {
                // one message after the other
            }
        }
        if (buffer.hasRemaining()) {
            partial = new byte[buffer.remaining()];
            buffer.get(partial);
        }
        return count;
    }

    /** Returns whether control messages may follow. */
    private boolean passGreeting(ByteBuffer buffer) throws IOException {
        if (Greeting.begins(buffer)) {
            if (buffer.remaining() < Greeting.LENGTH) {
                return false;
            }
            Greeting.check(buffer, greetedPort);
        }
        greetedPort = 0;
        return true;
    }

    private boolean handleOne(ByteBuffer buffer) throws IOException {
        if (buffer.remaining() < HEADER_LENGTH) {
            return false;
        }
        int header = buffer.getInt(buffer.position());
        int length = header & 0xff_ffff;
        if (length > MAX_PAYLOAD) {
            throw new IOException("Control message of " + length + " bytes");
        }
        if (buffer.remaining() < HEADER_LENGTH + length) {
            return false;
        }
        ByteBuffer payload = buffer.slice(buffer.position() + HEADER_LENGTH, length);
        buffer.position(buffer.position() + HEADER_LENGTH + length);
        handle(header >>> 24, payload);
        return true;
    }

    private void handle(int type, ByteBuffer payload) throws IOException {
        int length = payload.remaining();
        if (type == BOUND && length > Integer.BYTES && length <= Integer.BYTES + MAX_ADDRESS) {
            int id = payload.getInt();
            byte[] address = new byte[payload.remaining()];
            payload.get(address);
            connection.onPeerBound(address, id);
        } else if (type == DATA || type == URGENT) {
            connection.onControlData(payload, type == URGENT);
        } else if (type == FIN && length == Long.BYTES) {
            connection.onControlFin(payload.getLong());
        } else if (type == EXIT && length == Long.BYTES) {
            connection.onControlExit(payload.getLong());
        } else {
            throw new IOException("Control message of type " + type + " and " + length + " bytes");
        }
    }

    @Override
    public void onFailure(IOException cause) {
        Log.debug("Control connection with " + peerName + ": " + cause.getMessage());
        connection.onControlClosed();
        closeIfLingering();
    }

    private synchronized void closeIfLingering() {
        if (closing) {
            closeSocket();
        }
    }
}
