package org.ucxnio.it.programs;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.ucxnio.it.harness.BytePattern;

/** Netty's echo example, the other side, checking what comes back until it is told to finish. Arguments: port, connections, seed. */
public final class NettyEchoClient {
    private static final int LARGEST = 100_000;
    private static final int SHUTDOWN_S = 15;

    private static volatile boolean finishing;

    private NettyEchoClient() {}

    public static void main(String[] arguments) throws Exception {
        int connections = Integer.parseInt(arguments[1]);
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[2]));
        CountDownLatch done = new CountDownLatch(connections);
        EventLoopGroup group = NettyParts.CHOSEN.group(2);
        List<Channel> channels = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            Checker checker = new Checker(random.split(), done);
            Bootstrap bootstrap = new Bootstrap()
                    .group(group)
                    .channelFactory(NettyParts.CHOSEN.sockets())
                    .option(ChannelOption.TCP_NODELAY, true)
                    .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 10_000)
                    .handler(new ChannelInitializer<SocketChannel>() {
                        @Override
                        protected void initChannel(SocketChannel channel) throws Exception {
                            if (Tls.isOn()) {
                                NettyTls.addToClient(channel);
                            }
                            channel.pipeline().addLast(checker);
                        }
                    });
            channels.add(bootstrap
                    .connect("127.0.0.1", Integer.parseInt(arguments[0]))
                    .sync()
                    .channel());
        }
        Commands.print("STARTED");
        Map<String, Commands.Action> actions = new HashMap<>(NettyParts.CHOSEN.commands());
        actions.put("finish", () -> {
            finishing = true;
            done.await();
            return "DONE";
        });
        actions.put("close", () -> {
            for (Channel channel : channels) {
                channel.close().sync();
            }
            // Nobody has anything more to do: Netty would wait two seconds to see whether that is so.
            group.shutdownGracefully(0, SHUTDOWN_S, TimeUnit.SECONDS).sync();
            return "CLOSED";
        });
        Commands.serve(actions);
    }

    /** Sends the next piece when the last one came back whole. */
    private static final class Checker extends ChannelInboundHandlerAdapter {
        private final SplittableRandom random;
        private final CountDownLatch done;
        private final BytePattern outgoing;
        private final BytePattern incoming;
        private boolean finished;

        Checker(SplittableRandom random, CountDownLatch done) {
            this.random = random;
            this.done = done;
            long seed = random.nextLong();
            this.outgoing = new BytePattern(seed);
            this.incoming = new BytePattern(seed);
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            sendNext(context);
        }

        private void sendNext(ChannelHandlerContext context) {
            ByteBuffer piece = ByteBuffer.allocate(1 + random.nextInt(random.nextInt(10) == 0 ? LARGEST : 200));
            outgoing.fill(piece);
            context.writeAndFlush(context.alloc().buffer(piece.capacity()).writeBytes(piece.flip()));
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            try {
                incoming.verify(bytes.nioBuffer());
            } finally {
                bytes.release();
            }
            if (incoming.position() == outgoing.position()) {
                finished = finishing;
                if (finished) {
                    done.countDown();
                } else {
                    sendNext(context);
                }
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            if (!finished) {
                Commands.print("CLIENT FAILED: the connection ended");
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            Commands.print("CLIENT FAILED " + cause);
            cause.printStackTrace();
            context.close();
        }
    }
}
