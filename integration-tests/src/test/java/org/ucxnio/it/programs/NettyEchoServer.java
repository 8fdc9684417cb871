package org.ucxnio.it.programs;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;

/** Netty's echo example, on 4.1 and 4.2 alike. Argument: port. */
public final class NettyEchoServer {
    private NettyEchoServer() {}

    public static void main(String[] arguments) throws Exception {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(NettyParts.CHOSEN.group(1), NettyParts.CHOSEN.group(2))
                .channelFactory(NettyParts.CHOSEN.serverSockets())
                .option(ChannelOption.SO_BACKLOG, 128)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) throws Exception {
                        if (Tls.isOn()) {
                            NettyTls.addToServer(channel);
                        }
                        channel.pipeline().addLast(new Echo());
                    }
                });
        Channel listener = bootstrap
                .bind("127.0.0.1", Integer.parseInt(arguments[0]))
                .sync()
                .channel();
        Commands.print("LISTENING " + listener.localAddress());
        Commands.serve(NettyParts.CHOSEN.commands());
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            context.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            Commands.print("SERVER FAILED " + cause);
            context.close();
        }
    }
}
