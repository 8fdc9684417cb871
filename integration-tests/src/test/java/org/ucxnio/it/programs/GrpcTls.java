package org.ucxnio.it.programs;

import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;

/** gRPC's TLS, with the JDK's engine. */
final class GrpcTls {
    private GrpcTls() {}

    static SslContext ofServer() throws Exception {
        return GrpcSslContexts.configure(SslContextBuilder.forServer(Tls.keys()), SslProvider.JDK)
                .build();
    }

    static SslContext ofClient() throws Exception {
        return GrpcSslContexts.configure(SslContextBuilder.forClient().trustManager(Tls.trust()), SslProvider.JDK)
                .build();
    }
}
