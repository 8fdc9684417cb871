package org.ucxnio.it.programs;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;

/** Netty's TLS, with the JDK's engine, where {@link Tls} is on. Loaded only then. */
final class NettyTls {
    private NettyTls() {}

    static void addToServer(Channel channel) throws Exception {
        add(
                channel,
                SslContextBuilder.forServer(Tls.keys())
                        .sslProvider(SslProvider.JDK)
                        .build());
    }

    static void addToClient(Channel channel) throws Exception {
        add(
                channel,
                SslContextBuilder.forClient()
                        .trustManager(Tls.trust())
                        .sslProvider(SslProvider.JDK)
                        .build());
    }

    private static void add(Channel channel, SslContext context) {
        SslHandler handler = context.newHandler(channel.alloc(), "127.0.0.1", 0);
        // Whoever waits for the bytes has a bound of its own.
        handler.setHandshakeTimeoutMillis(0);
        channel.pipeline().addLast(handler);
    }
}
