package org.ucxnio.session;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.ucxnio.counters.Log;
import org.ucxnio.link.Carrier;

/**
 * One end of a session: a socket, the messages on it, and what its carrier shares with the peer. What is said of pairings is its {@link Role}'s.
 * Owned by the session thread, except the table of pairings and the bond, which are thread-safe.
 *
 * <p>It ends when its socket ends, when the peer is silent at the beginning, or says what it should not. Then the bond is over, and after that the role is told.
 */
final class Session implements SessionLoop.Handler {
    /** Bytes to be sent from which on a server waits with the next question until the client has taken its answers. */
    private static final int BEHIND_BYTES = 64 << 10;

    /** Bytes to be sent from which on a peer that takes none is given up. */
    private static final int HOPELESS_BYTES = 4 << 20;

    /** Reads in one go; other sessions have their turn then. */
    private static final int READS = 16;

    /** What an end of a session does with messages. What it throws ends the session. */
    interface Role {
        /** The peer has said hello: {@link Session#bond} is there. */
        void onOpen() throws IOException;

        void onMessage(int type, ByteBuffer body) throws IOException;

        /** Once, and the last call. */
        void onEnd(String reason);
    }

    private enum State {
        /** Both ends have still to say hello. */
        GREETING,
        OPEN,
        ENDED
    }

    private final SessionSetting setting;
    private final Terms terms;
    private final SocketChannel channel;
    private final boolean server;
    private final ByteBuffer in = ByteBuffer.allocate(2 * (Protocol.LENGTH_BYTES + Protocol.MAX_LENGTH));
    private final ArrayDeque<ByteBuffer> out = new ArrayDeque<>();
    private final Map<Long, Pairing> pairings = new ConcurrentHashMap<>();

    /** Made in advance: there may be no memory when it is needed. */
    private final Runnable telling = this::tellRole;

    private int outBytes;
    private String endReason;
    private State state = State.GREETING;
    private Role role;
    private SelectionKey key;
    private Carrier.Bond bond;

    /** @param channel connected, and does not block */
    Session(SessionSetting setting, Terms terms, SocketChannel channel, boolean server) {
        this.setting = setting;
        this.terms = terms;
        this.channel = channel;
        this.server = server;
    }

    /**
     * Says hello and listens.
     *
     * @throws IOException and the channel is closed; the role is told nothing
     */
    void start(Role itsRole) throws IOException {
        role = itsRole;
        try {
            key = setting.loop().register(channel, SelectionKey.OP_READ, this);
            if (server || terms.onThisHost()) {
                send(Protocol.hello(terms.port(), terms.carrier()));
            }
        } catch (IOException | RuntimeException | Error e) {
            state = State.ENDED;
            SessionLoop.close(channel);
            throw e;
        }
        setting.warmUp().run();
        setting.loop().schedule(setting.timing().helloNanos(), this::checkHello);
    }

    private void checkHello() {
        if (state == State.GREETING) {
            // This thread may be late itself, with many sessions on a busy machine, and the peer have spoken in time.
            SessionLoop.serve(key);
        }
        if (state == State.GREETING) {
            end("the peer is silent");
        }
    }

    SessionSetting setting() {
        return setting;
    }

    Terms terms() {
        return terms;
    }

    /** Its own two addresses, as this end sees them; null on a Unix-domain socket. */
    AddressPair addresses() throws IOException {
        return channel.getLocalAddress() instanceof InetSocketAddress local
                ? new AddressPair(local, (InetSocketAddress) channel.getRemoteAddress())
                : null;
    }

    /** What both ends have not given up yet, by their numbers. */
    Map<Long, Pairing> pairings() {
        return pairings;
    }

    Carrier.Bond bond() {
        return bond;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    // -- reading -----------------------------------------------------------------------------------------------------

    @Override
    public void onReady() throws IOException {
        if (key.isWritable()) {
            flush();
        }
        for (int reads = 0; reads < READS && state != State.ENDED && !isBehind(); reads++) {
            int count = channel.read(in);
            if (count < 0) {
                end("the peer has ended");
                return;
            }
            takeMessages();
            if (count == 0) {
                return;
            }
        }
    }

    private void takeMessages() throws IOException {
        in.flip();
        while (state != State.ENDED && in.remaining() >= Protocol.LENGTH_BYTES) {
            int length = in.getShort(in.position()) & 0xffff;
            if (length == 0 || length > Protocol.MAX_LENGTH) {
                throw new IOException("the peer sent a message of " + length + " bytes");
            }
            if (in.remaining() < Protocol.LENGTH_BYTES + length) {
                break;
            }
            ByteBuffer message = in.slice(in.position() + Protocol.LENGTH_BYTES, length);
            in.position(in.position() + Protocol.LENGTH_BYTES + length);
            try {
                take(message.get(), message);
            } catch (BufferUnderflowException e) {
                throw new IOException("the peer sent a message that is too short", e);
            }
        }
        in.compact();
    }

    private void take(int type, ByteBuffer body) throws IOException {
        if (state == State.GREETING) {
            if (type != Protocol.HELLO) {
                throw new IOException("the peer does not speak ucxnio's protocol");
            }
            open(body);
        } else if (type == Protocol.NOTE) {
            bond.onNote(body.getInt());
        } else {
            role.onMessage(type, body);
        }
        if (body.hasRemaining()) {
            throw new IOException("the peer sent " + body.remaining() + " bytes too many in a message " + type);
        }
    }

    private void open(ByteBuffer hello) throws IOException {
        Protocol.readHello(hello, terms.port(), terms.carrier());
        bond = terms.carrier().join(hello, terms.onThisHost(), this::tell);
        if (!server && !terms.onThisHost()) {
            send(Protocol.hello(terms.port(), terms.carrier()));
        }
        state = State.OPEN;
        setting.sessions().opened();
        role.onOpen();
    }

    // -- writing -----------------------------------------------------------------------------------------------------

    /** Any thread. */
    private void tell(int number) {
        setting.loop().execute(() -> sendOrEnd(Protocol.note(number)));
    }

    /** For who is not called by this session: what goes wrong ends it. */
    void sendOrEnd(ByteBuffer message) {
        try {
            send(message);
        } catch (IOException e) {
            end(e.getMessage());
        }
    }

    void send(ByteBuffer message) throws IOException {
        if (state == State.ENDED) {
            return;
        }
        if (out.isEmpty()) {
            channel.write(message);
        }
        if (message.hasRemaining()) {
            out.add(message);
            outBytes += message.remaining();
            if (outBytes > HOPELESS_BYTES) {
                throw new IOException("the peer does not read");
            }
            updateInterest();
        }
    }

    private void flush() throws IOException {
        while (!out.isEmpty()) {
            ByteBuffer message = out.peek();
            outBytes -= channel.write(message);
            if (message.hasRemaining()) {
                break;
            }
            out.poll();
        }
        updateInterest();
    }

    /** A server answers what a client asks, so it can leave questions where they are; a client bounds its questions itself. */
    private boolean isBehind() {
        return server && outBytes > BEHIND_BYTES;
    }

    private void updateInterest() {
        int ops = isBehind() ? 0 : SelectionKey.OP_READ;
        key.interestOps(out.isEmpty() ? ops : ops | SelectionKey.OP_WRITE);
    }

    // -- the end -----------------------------------------------------------------------------------------------------

    @Override
    public void onFailure(Throwable cause) {
        if (cause instanceof IOException && cause.getMessage() != null) {
            end(cause.getMessage());
            return;
        }
        Log.error("A session ends by an error", cause);
        end(cause instanceof OutOfMemoryError ? "there was no memory" : "an error: " + cause);
    }

    void end(String reason) {
        if (state == State.ENDED) {
            return;
        }
        boolean opened = state == State.OPEN;
        state = State.ENDED;
        endReason = reason;
        SessionLoop.close(channel);
        out.clear();
        if (bond != null) {
            bond.end();
        }
        if (opened) {
            setting.sessions().ended();
        }
        setting.loop().insist(telling);
    }

    @Override
    public void onExit() {
        for (Pairing pairing : pairings.values()) {
            pairing.connection().exits();
        }
    }

    /** Who is not told sleeps for ever. */
    private void tellRole() {
        role.onEnd(endReason);
    }
}
