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

    private final ControlLoop loop;
    private final SocketChannel socket;
    private final String peerName;

    /** Set once, before the socket is registered with the loop. */
    private Connection connection;

    /** Start of a message whose rest has not arrived; owned by the loop. */
    private byte[] partial;

    // -- guarded by this --
    private final Deque<ByteBuffer> outgoing = new ArrayDeque<>(0);
    private boolean closing;
    private boolean broken;
    // -- end --

    ControlConnection(ControlLoop loop, SocketChannel socket, String peerName) {
        this.loop = loop;
        this.socket = socket;
        this.peerName = peerName;
    }

    /** Starts receiving. Loop's thread. */
    void start(Connection target) throws IOException {
        connection = target;
        loop.register(socket, SelectionKey.OP_READ, this);
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
                    loop.execute(this::watchForSpace);
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
            ControlLoop.close(socket);
            loop.wakeUp();
        }
    }

    private void watchForSpace() {
        try {
            loop.register(socket, SelectionKey.OP_READ | SelectionKey.OP_WRITE, this);
        } catch (IOException | RuntimeException e) {
            Log.debug("Control connection with " + peerName + " ended while it was sending");
        }
    }

    @Override
    public void confirm(Runnable then) {
        loop.execute(() -> {
            SelectionKey key = loop.keyOf(socket);
            if (key != null && key.isValid()) {
                receiveAll(key);
            }
            then.run();
        });
    }

    private void receiveAll(SelectionKey key) {
        try {
            while (key.isValid() && receive(key) > 0) {
                // until nothing is left
            }
        } catch (IOException e) {
            key.cancel();
            onFailure(e);
        }
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
                ControlLoop.close(socket);
                loop.wakeUp();
            }
        }
    }

    @Override
    public void onReady(SelectionKey key) throws IOException {
        if (key.isWritable()) {
            key.interestOps(SelectionKey.OP_READ);
            flush();
        }
        if (key.isValid() && key.isReadable()) {
            receive(key);
        }
    }

    private int receive(SelectionKey key) throws IOException {
        ByteBuffer buffer = loop.buffer();
        if (partial != null) {
            buffer.put(partial);
            partial = null;
        }
        int count = socket.read(buffer);
        if (count < 0) {
            key.cancel();
            connection.onControlClosed();
            return count;
        }
        buffer.flip();
        while (handleOne(buffer)) {
            // one message after the other
        }
        if (buffer.hasRemaining()) {
            partial = new byte[buffer.remaining()];
            buffer.get(partial);
        }
        return count;
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
    }
}
