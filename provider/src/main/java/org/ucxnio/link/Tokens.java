package org.ucxnio.link;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * Single bytes over the TCP socket of a connection whose streams are in rings: each wakes whoever sleeps in the kernel at the other end,
 * and means nothing else. The socket's end tells that the peer's end is gone. Thread-safe.
 *
 * <p>Sending never waits: tokens go only where the peer has taken everything else from the socket, and it asks for each of them, so
 * that no more than a few are ever under way.
 */
public final class Tokens {
    private static final int DRAIN_BYTES = 64;

    private final SocketChannel kernel;

    /** Guarded by itself. */
    private final ByteBuffer token = ByteBuffer.allocate(1);

    /** Guarded by itself. What comes in here or there means nothing. */
    private final ByteBuffer drained = ByteBuffer.allocate(DRAIN_BYTES);

    /** That of the thread in {@link #await}; null before the first time. */
    private ByteBuffer awaited;

    /** The kernel said that nothing more will come. Only rises. */
    private volatile boolean ended;

    /** It has ended by an error: nothing arrives at the peer any more. Only rises. */
    private volatile boolean broken;

    /** Only rises. */
    private volatile boolean reset;

    public Tokens(SocketChannel kernel) {
        this.kernel = kernel;
    }

    /** Whether the socket has ended: the peer has closed it, or is dead. */
    public boolean isEnded() {
        return ended;
    }

    public void end() {
        ended = true;
    }

    /** Whether the socket was found broken: what it has still to send is lost. */
    public boolean isBroken() {
        return broken;
    }

    /**
     * Whether the peer has reset the connection and a token was told of it, as the first call that meets a socket's error: the calls
     * behind it find no more than the end.
     */
    public boolean isReset() {
        return reset;
    }

    private void breakOff(IOException cause) {
        String message = cause.getMessage();
        if (message != null && message.contains("reset")) {
            reset = true;
        }
        broken = true;
        ended = true;
    }

    /** Sends one; false where the socket has no room for it. */
    public boolean send() {
        try {
            synchronized (token) {
                return kernel.write(token.clear()) > 0;
            }
        } catch (ClosedChannelException e) {
            // By this side.
            ended = true;
            return true;
        } catch (IOException e) {
            breakOff(e);
            return true;
        }
    }

    /** Takes in what has come, without waiting: for a socket in non-blocking mode. */
    public void drain() {
        if (broken || kernel.isBlocking()) {
            return;
        }
        try {
            int count = DRAIN_BYTES;
            synchronized (drained) {
                while (count == DRAIN_BYTES) {
                    count = kernel.read(drained.clear());
                }
            }
            if (count < 0) {
                ended = true;
            }
        } catch (ClosedChannelException e) {
            ended = true;
        } catch (IOException e) {
            breakOff(e);
        }
    }

    /**
     * Sleeps until one comes, or the socket ends, or is closed by another thread: for a socket in blocking mode, and one thread at a time.
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
                ended = true;
            }
        } catch (SocketTimeoutException e) {
            // The caller looks at the time itself.
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            ended = true;
        }
    }
}
