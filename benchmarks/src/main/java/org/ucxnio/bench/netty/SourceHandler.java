package org.ucxnio.bench.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Writes messages for as long as its channel takes them and flushes every so many; counts those that the sink has told of. */
final class SourceHandler extends ChannelInboundHandlerAdapter {
    /** So much is under way at most, and so many: a loop that only writes would never read what has arrived. */
    private static final long WINDOW_BYTES = 1 << 20;

    private static final long WINDOW_MESSAGES = 1024;

    private final int size;
    private final int flushEvery;
    private final long window;
    private long sent;
    private boolean ended;
    private int receiptBytes;
    private long receipt;
    private volatile long received;
    private volatile Throwable failure;

    /**
     * @param size bytes in a message, 8 at least
     * @param flushEvery messages for each flush
     */
    SourceHandler(int size, int flushEvery) {
        this.size = size;
        this.flushEvery = flushEvery;
        window = Math.max(1, Math.min(WINDOW_MESSAGES, WINDOW_BYTES / size));
    }

    /** Messages that have arrived. */
    long received() {
        if (failure != null) {
            throw new IllegalStateException("the connection failed", failure);
        }
        return received;
    }

    /** Begins to send; on the event loop. */
    void begin(ChannelHandlerContext context) {
        context.write(context.alloc().directBuffer(Integer.BYTES).writeInt(size), context.voidPromise());
        fill(context);
    }

    /** Sends no more; on the event loop. */
    void end() {
        ended = true;
    }

    /** Writes whole flushes until the channel has enough, which says when it takes more, or too much is under way. */
    private void fill(ChannelHandlerContext context) {
        while (!ended && context.channel().isWritable() && sent - received < window) {
            for (int i = 0; i < flushEvery; i++) {
                ByteBuf message = context.alloc().directBuffer(size);
                message.writeLong(sent++).writerIndex(size);
                context.write(message, context.voidPromise());
            }
            context.flush();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        // Not now: this is called from within a flush.
        context.executor().execute(() -> fill(context));
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        fill(context);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf piece = (ByteBuf) message;
        while (piece.isReadable()) {
            receipt = receipt << Byte.SIZE | piece.readByte() & 0xff;
            if (++receiptBytes == Long.BYTES) {
                received = receipt;
                receipt = 0;
                receiptBytes = 0;
            }
        }
        piece.release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failure = cause;
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (!ended) {
            failure = new IllegalStateException("the server closed the connection");
        }
    }
}
