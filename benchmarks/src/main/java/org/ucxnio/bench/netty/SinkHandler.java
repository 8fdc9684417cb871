package org.ucxnio.bench.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;

/**
 * Takes a stream of messages of one size, which its sender says first (4 bytes), and answers with the number of messages so far
 * (8 bytes) each time that enough have come. In each piece it verifies the first number that lies in it whole: messages begin with
 * numbers that count up without a gap.
 */
final class SinkHandler extends ChannelInboundHandlerAdapter {
    /** Bytes between two receipts at most, but for what one read brings. */
    private static final int RECEIPT_BYTES = 64 * 1024;

    /** Messages between two receipts at most. */
    private static final int RECEIPT_MESSAGES = 64;

    private int size;
    private long bytes;
    private long told;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf piece = (ByteBuf) message;
        try {
            if (size == 0) {
                size = piece.readInt();
            }
            check(piece);
            bytes += piece.readableBytes();
        } finally {
            piece.release();
        }
        long messages = bytes / size;
        long untold = messages - told;
        if (untold >= RECEIPT_MESSAGES || untold * size >= RECEIPT_BYTES) {
            told = messages;
            context.writeAndFlush(context.alloc().directBuffer(Long.BYTES).writeLong(messages), context.voidPromise());
        }
    }

    private void check(ByteBuf piece) {
        long next = (bytes + size - 1) / size;
        long at = next * size - bytes;
        if (at + Long.BYTES <= piece.readableBytes()) {
            long number = piece.getLong(piece.readerIndex() + (int) at);
            if (number != next) {
                throw new IllegalStateException("message " + number + " where " + next + " was due");
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // A client that has measured leaves while receipts are under way to it.
        if (!(cause instanceof IOException)) {
            cause.printStackTrace();
        }
        context.close();
    }
}
