package org.ucxnio.bench.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.ucxnio.bench.child.Host;

/**
 * Keeps a number of messages under way on its connection and records how long each takes. Messages begin with the time
 * of their departure, so an answer tells its own latency; after it comes a number that counts up without a gap.
 */
final class PingHandler extends ChannelInboundHandlerAdapter {
    private static final int IDLE_TIMEOUT_SECONDS = 10;

    private final int size;
    private final int depth;
    private final LongConsumer latencies;
    private final Semaphore idle = new Semaphore(0);
    private ChannelHandlerContext context;
    private ByteBuf received;
    private long nextSent;
    private long nextReceived;
    private boolean ended;
    private volatile Throwable failure;

    /**
     * @param size bytes in a message
     * @param depth messages under way at once
     * @param latencies takes the latency of each answer, ns, on the event loop and before the next message is sent
     */
    PingHandler(int size, int depth, LongConsumer latencies) {
        this.size = size;
        this.depth = depth;
        this.latencies = latencies;
    }

    /** {@link #connect(EventLoopGroup, Transport, int)} on the JVM's selector provider. */
    Channel connect(EventLoopGroup loops, int port) throws InterruptedException {
        return connect(loops, Transport.NIO, port);
    }

    /** Connects to port {@code port} of the server on one of {@code loops}, with this handler alone behind the channel. */
    Channel connect(EventLoopGroup loops, Transport transport, int port) throws InterruptedException {
        return new Bootstrap()
                .group(loops)
                .channel(transport.channel())
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(PingHandler.this);
                    }
                })
                .connect(new InetSocketAddress(Host.address(), port))
                .sync()
                .channel();
    }

    /** Sends the first messages, also those behind a pause; on the event loop. */
    void begin() {
        ended = false;
        for (int i = 0; i < depth; i++) {
            send();
        }
        context.flush();
    }

    /** Sends no more; on the event loop. */
    void end() {
        ended = true;
    }

    /** Waits for the answers to all that was sent before {@link #end}; once for each. */
    void awaitIdle() throws InterruptedException {
        boolean done = idle.tryAcquire(IDLE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        if (failure != null) {
            throw new IllegalStateException("the connection failed", failure);
        }
        if (!done) {
            throw new IllegalStateException("answers are missing");
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        received = added.alloc().directBuffer();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext removed) {
        received.release();
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        ByteBuf piece = (ByteBuf) message;
        try {
            received.writeBytes(piece);
        } finally {
            piece.release();
        }
        while (received.readableBytes() >= size) {
            take();
        }
        received.discardReadBytes();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext from) {
        from.flush();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        fail(cause);
        from.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) {
        if (nextReceived < nextSent) {
            fail(new IOException("the connection ended while answers were under way"));
        }
    }

    private void fail(Throwable cause) {
        failure = cause;
        idle.release();
    }

    private void take() {
        int start = received.readerIndex();
        latencies.accept(System.nanoTime() - received.getLong(start));
        long number = received.getLong(start + Long.BYTES);
        if (number != nextReceived) {
            throw new IllegalStateException("answer " + number + " where " + nextReceived + " was due");
        }
        nextReceived++;
        received.skipBytes(size);
        if (!ended) {
            send();
        } else if (nextReceived == nextSent) {
            idle.release();
        }
    }

    private void send() {
        ByteBuf message = context.alloc().directBuffer(size);
        message.writeLong(System.nanoTime()).writeLong(nextSent++).writeZero(size - 2 * Long.BYTES);
        context.write(message, context.voidPromise());
    }
}
