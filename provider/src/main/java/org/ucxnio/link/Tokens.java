package org.ucxnio.link;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Single bytes over the TCP socket of a connection whose streams are in rings: each wakes whoever sleeps in the kernel at the other end,
 * and means nothing else. The socket's end tells that the peer's end is gone. Thread-safe.
 *
 * <p>Sending never waits: tokens go only where the peer has taken everything else from the socket, and it asks for each of them, so
 * that no more than a few are ever under way.
 *
 * <p><b>The last token.</b> A side whose stream goes back to TCP says so with a token that has another value. What comes behind it is the
 * stream. It is sent with the lock that all tokens of this side are sent with, and none is sent after it; the stream goes to the socket
 * only once it was sent. So what the socket carries behind the switch is tokens, one last token, bytes of the stream, in this order.
 * The receiver takes them apart by their order in the socket alone: it needs neither a count nor any memory that both see. It may read
 * more than tokens at once; what it finds behind the last one is kept for the stream ({@link #readBehind}), and from then on nothing is
 * taken from the socket here.
 *
 * <p>Ordering. What a side has stored before it sends a token is seen by whoever has received it: the sender puts it into the socket, and
 * the receiver takes it out, with a lock of the kernel's, which is released behind the one's stores and taken before the other's loads.
 *
 * <p>What comes over the socket is taken in by the holder of the channel's read lock alone, so that what two reads find is not confused.
 * Once the channel is closed anybody may, as it means nothing.
 */
public final class Tokens {
    private static final int DRAIN_BYTES = 16;

    /**
     * Far more than what tokens ever need. What comes may be no tokens but the stream of a peer that has not heard yet that this side is closed, and
     * that would write for as long as somebody reads.
     */
    static final int DRAIN_READS = 1024;

    private static final byte TOKEN = 0;
    private static final byte LAST = 1;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel kernel;

    /** Whether a write to a socket in blocking mode would not wait. */
    private final Predicate<SocketChannel> hasRoom;

    /** The lock of those who send. Buffers are made once the connection is paired: most never are. */
    private final Object sending = new Object();

    /** Guarded by {@link #sending}; null before {@link #prepare}. */
    private ByteBuffer token;

    /** The last token was sent. Guarded by {@link #sending}. */
    private boolean lastSent;

    /** The lock of those who take in. */
    private final Object taking = new Object();

    /** Guarded by {@link #taking}; null before {@link #prepare}. What comes in here or there means nothing, up to the last token. */
    private ByteBuffer drained;

    /** That of the thread in {@link #await}; null before the first time. */
    private ByteBuffer awaited;

    /** What came behind the peer's last token and was not read yet; null before that one has come. The position is the reader's. */
    private volatile ByteBuffer behind;

    /** The kernel said that nothing more will come. Only rises. */
    private volatile boolean ended;

    /** Any was taken in. Only rises. */
    private volatile boolean come;

    /** A thread is about to wait in {@link #await}, or does. Written by it. */
    private volatile boolean awaiting;

    /** This side's input was shut down in the kernel: what the socket calls its end is no end. Only rises. */
    private volatile boolean deaf;

    /** It has ended by an error: nothing arrives at the peer any more. Only rises. */
    private volatile boolean broken;

    /** Only rises. A sender writes it with {@link #sending} held. */
    private volatile boolean reset;

    /** Bytes of the stream that had been read could not be kept: there is nothing to be had from the socket any more. */
    private boolean lost;

    /** @param hasRoom whether a byte written to that socket, which may be in blocking mode, would not wait for room */
    public Tokens(SocketChannel kernel, Predicate<SocketChannel> hasRoom) {
        this.kernel = kernel;
        this.hasRoom = hasRoom;
    }

    /** Makes now what the first token would need memory for. Any thread. */
    public void prepare() {
        synchronized (sending) {
            prepareToSend();
        }
        synchronized (taking) {
            prepareToTake();
        }
    }

    private void prepareToSend() {
        if (token == null) {
            token = ByteBuffer.allocate(1);
        }
    }

    private void prepareToTake() {
        if (drained == null) {
            drained = ByteBuffer.allocate(DRAIN_BYTES);
        }
    }

    /** Whether the socket has ended: the peer has closed it, or is dead. */
    public boolean isEnded() {
        return ended;
    }

    public void end() {
        ended = true;
    }

    /** This side breaks the connection off: who reads the socket is to hear of a reset, and not of the end that is made there. */
    public void endByReset() {
        synchronized (sending) {
            reset = true;
        }
        ended = true;
    }

    /** Whether no token comes any more though the socket goes on: the last one has, or nobody can hear them. */
    public boolean isSilent() {
        return deaf || isLast();
    }

    /** A read of the socket has found its end, which is the peer's unless this side's input was shut down. */
    public void endOfInput() {
        // Read behind the end: who has it shut down says so before.
        if (!deaf) {
            ended = true;
        }
    }

    /** Shuts down the kernel's input: no token can be taken in any more. */
    public void shutdownInput() throws IOException {
        deaf = true;
        kernel.shutdownInput();
    }

    /** Whether the socket was found broken: what it has still to send is lost. */
    public boolean isBroken() {
        return broken;
    }

    /**
     * Whether this side has broken the connection off, or the peer has reset it and a token was told of it, as the first call that meets a
     * socket's error: the calls behind it find no more than the end. A token may be under way that was told and has not said so: its sender
     * holds the lock.
     */
    public boolean isReset() {
        synchronized (sending) {
            return reset;
        }
    }

    private void breakOff(IOException cause) {
        String message = cause.getMessage();
        if (message != null && message.contains("reset")) {
            reset = true;
        }
        broken = true;
        ended = true;
    }

    // -- sending -----------------------------------------------------------------------------------------------------

    /** From now on tokens do not wait for each other's confirmation. */
    public void setNoDelay() {
        try {
            kernel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        } catch (IOException e) {
            // The socket is closed; no token goes there.
        }
    }

    /** Sends one behind bytes of the stream, which the peer may not have taken; false where the socket has no room for it. */
    public boolean sendBehindStream() {
        return (!kernel.isBlocking() || hasRoom.test(kernel)) && send();
    }

    /** Sends one, unless the last was sent; false where the socket has no room for it. */
    public boolean send() {
        synchronized (sending) {
            return lastSent || put(TOKEN);
        }
    }

    /** Sends the last one: what goes to the socket from now on is the stream. False where the socket has no room for it. */
    public boolean sendLast() {
        synchronized (sending) {
            lastSent = lastSent || put(LAST);
            return lastSent;
        }
    }

    private boolean put(byte value) {
        prepareToSend();
        try {
            return kernel.write(token.clear().put(0, value)) > 0;
        } catch (ClosedChannelException e) {
            // By this side.
            ended = true;
            return true;
        } catch (IOException e) {
            breakOff(e);
            return true;
        }
    }

    // -- taking them in: the reader, unless it says something else ---------------------------------------------------

    /** Takes in what has come, without waiting: for a socket in non-blocking mode. */
    public void drain() {
        if (!broken && !kernel.isBlocking()) {
            readSome();
        }
    }

    /** As {@link #drain}, also for a socket in blocking mode, at the price of a system call more for each read. */
    public void takeIn() {
        boolean any = true;
        while (any && behind == null && !lost && (!kernel.isBlocking() || hasCome())) {
            any = readSome();
        }
    }

    private boolean hasCome() {
        try {
            return kernel.socket().getInputStream().available() > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether there was anything. */
    private boolean readSome() {
        boolean any = false;
        try {
            synchronized (taking) {
                prepareToTake();
                int count = DRAIN_BYTES;
                for (int read = 0; read < DRAIN_READS && count == DRAIN_BYTES && behind == null; read++) {
                    count = kernel.read(drained.clear());
                    any |= count > 0;
                    takeApart(drained.flip());
                    if (kernel.isBlocking()) {
                        break;
                    }
                }
                if (count < 0) {
                    endOfInput();
                }
            }
        } catch (ClosedChannelException e) {
            ended = true;
        } catch (IOException e) {
            breakOff(e);
        }
        return any;
    }

    /** Says whether a thread may be in {@link #await} from now on. */
    public void awaiting(boolean value) {
        awaiting = value;
    }

    /**
     * Ends the wait of a thread in {@link #await}, or about to be there, whose channel's input was shut down, by {@link #shutdownInput}. Does
     * nothing where no thread waits.
     */
    public void endAwait() throws IOException {
        if (awaiting) {
            shutdownInput();
        }
    }

    /**
     * Sleeps until one comes, or the socket ends, or is closed by another thread: for a socket in blocking mode, and one thread at a time.
     * Behind {@link #awaiting} the thread has looked whether the input is shut down.
     *
     * @param nanos how long at most, {@link Long#MAX_VALUE} for no bound
     * @throws ClosedChannelException where the socket was closed meanwhile, or the thread interrupted, which closes it
     */
    public void await(long nanos) throws ClosedChannelException {
        if (awaited == null) {
            awaited = ByteBuffer.allocate(DRAIN_BYTES);
        }
        try {
            int count;
            if (nanos == Long.MAX_VALUE) {
                count = kernel.read(awaited.clear());
            } else {
                kernel.socket().setSoTimeout((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
                count = kernel.socket().getInputStream().read(awaited.array());
            }
            if (count < 0) {
                endOfInput();
            } else {
                takeApart(awaited.limit(count).position(0));
            }
        } catch (SocketTimeoutException e) {
            // The caller looks at the time itself.
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            breakOff(e);
        }
    }

    /** Keeps what is behind the last token, in the same buffer: nothing is taken in there any more. */
    private void takeApart(ByteBuffer came) {
        if (passLast(came)) {
            behind = came;
        }
    }

    private boolean passLast(ByteBuffer came) {
        if (!come && came.hasRemaining()) {
            come = true;
        }
        while (came.hasRemaining()) {
            if (came.get() == LAST) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes in bytes that a read of the stream has found behind the switch.
     *
     * @param came in pieces, one call for each of the buffers that they came to, in order
     */
    public void take(ByteBuffer came) {
        ByteBuffer before = behind;
        if (before == null && !passLast(came)) {
            return;
        }
        try {
            int all = behindLast() + came.remaining();
            behind = all == 0
                    ? NOTHING
                    : ByteBuffer.allocate(all)
                            .put(before == null ? NOTHING : before)
                            .put(came)
                            .flip();
        } catch (OutOfMemoryError e) {
            // Bytes of the stream are lost, and the connection with them.
            behind = null;
            lost = true;
            broken = true;
            ended = true;
            throw e;
        }
    }

    /** Whether any has come. Any thread. */
    public boolean haveCome() {
        return come;
    }

    // -- the stream behind the last token ----------------------------------------------------------------------------

    /** Whether the peer's last token has come: nothing is taken in here any more. Any thread. */
    public boolean isLast() {
        return behind != null;
    }

    /** Bytes of the stream that came with the last token and were not read yet. Any thread: a racy look. */
    public int behindLast() {
        ByteBuffer bytes = behind;
        return bytes == null ? 0 : bytes.remaining();
    }

    /** Reads of what {@link #behindLast} counts. */
    public int readBehind(ByteBuffer[] targets, int offset, int length) {
        ByteBuffer from = behind;
        int before = from.remaining();
        for (int i = offset; i < offset + length && from.hasRemaining(); i++) {
            ByteBuffer target = targets[i];
            int piece = Math.min(from.remaining(), target.remaining());
            int position = target.position();
            target.put(position, from, from.position(), piece).position(position + piece);
            from.position(from.position() + piece);
        }
        int count = before - from.remaining();
        if (!from.hasRemaining()) {
            behind = NOTHING;
        }
        return count;
    }
}
