package org.ucxnio.bench.alltoall;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connection with one other process. Any thread sends; the thread that selects receives, and wakes the sender that waits for
 * room.
 */
final class Link {
    private static final int RECEIVE_BYTES = 64 * 1024;
    private static final int NOBODY = -1;

    private final int self;
    private final int size;
    private final Tally tally;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Semaphore room = new Semaphore(0);

    /** Held for as long as a message is on its way into the channel. It guards {@link #outgoing} and {@link #sent}. */
    private final ReentrantLock sending = new ReentrantLock();

    private final ByteBuffer outgoing;
    private long sent;

    /** The selecting thread's own. */
    private final ByteBuffer incoming;

    private long received;
    private long peer = NOBODY;

    /**
     * @param channel a connected channel
     * @param selector the selector that its thread waits in
     * @param self the number of this process
     * @param size bytes in a message
     * @param tally counts the messages
     */
    Link(SocketChannel channel, Selector selector, int self, int size, Tally tally) throws IOException {
        this.channel = channel;
        this.self = self;
        this.size = size;
        this.tally = tally;
        outgoing = ByteBuffer.allocateDirect(size);
        incoming = ByteBuffer.allocateDirect(Math.max(RECEIVE_BYTES, size));
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** Sends the next message; waits while there is no room. */
    void send() throws IOException, InterruptedException {
        sending.lock();
        try {
            Message.fill(outgoing, self, sent++);
            while (outgoing.hasRemaining()) {
                if (channel.write(outgoing) == 0) {
                    key.interestOpsOr(SelectionKey.OP_WRITE);
                    key.selector().wakeup();
                    room.acquire();
                }
            }
        } finally {
            sending.unlock();
        }
        tally.countSent();
    }

    /** Does what the channel is ready for; the selecting thread only. */
    void handle() throws IOException {
        if (key.isWritable()) {
            // Before the sender goes on: it may ask again at once.
            key.interestOpsAnd(~SelectionKey.OP_WRITE);
            room.release();
        }
        if (key.isReadable()) {
            receive();
        }
    }

    private void receive() throws IOException {
        if (channel.read(incoming) < 0) {
            throw new EOFException("process " + peer + " has ended the connection");
        }
        incoming.flip();
        int start = 0;
        for (; incoming.limit() - start >= size; start += size) {
            if (peer == NOBODY) {
                peer = Message.sender(incoming, start);
            }
            Message.check(incoming, start, size, peer, received++);
            tally.countReceived();
        }
        incoming.position(start);
        incoming.compact();
    }
}
