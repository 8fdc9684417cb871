package org.ucxnio.it.programs;

import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** A gRPC server for {@link GrpcMethods}. Argument: port. */
public final class GrpcServer {
    private GrpcServer() {}

    public static void main(String[] arguments) throws Exception {
        ServerServiceDefinition service = ServerServiceDefinition.builder(GrpcMethods.SERVICE)
                .addMethod(GrpcMethods.UNARY, ServerCalls.asyncUnaryCall((request, answers) -> {
                    answers.onNext(request);
                    answers.onCompleted();
                }))
                .addMethod(GrpcMethods.DOWN, ServerCalls.asyncServerStreamingCall(GrpcServer::down))
                .addMethod(GrpcMethods.UP, ServerCalls.asyncClientStreamingCall(GrpcServer::up))
                .addMethod(GrpcMethods.BOTH, ServerCalls.asyncBidiStreamingCall(GrpcServer::both))
                .build();
        NettyServerBuilder builder =
                NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])));
        if (Tls.isOn()) {
            builder.sslContext(GrpcTls.ofServer());
        }
        Server server = builder.addService(service).build().start();
        Commands.print("LISTENING " + server.getPort());
        Commands.serve(Map.of());
    }

    private static void down(byte[] request, StreamObserver<byte[]> answers) {
        for (int i = 0; i < request.length; i++) {
            answers.onNext(Patterns.array(i, i));
        }
        answers.onCompleted();
    }

    private static StreamObserver<byte[]> up(StreamObserver<byte[]> answers) {
        return new Observer(answers) {
            private long total;

            @Override
            public void onNext(byte[] message) {
                total += message.length;
            }

            @Override
            public void onCompleted() {
                answers.onNext(Long.toString(total).getBytes(StandardCharsets.US_ASCII));
                answers.onCompleted();
            }
        };
    }

    private static StreamObserver<byte[]> both(StreamObserver<byte[]> answers) {
        return new Observer(answers) {
            @Override
            public void onNext(byte[] message) {
                answers.onNext(message);
            }

            @Override
            public void onCompleted() {
                answers.onCompleted();
            }
        };
    }

    private abstract static class Observer implements StreamObserver<byte[]> {
        private final StreamObserver<byte[]> answers;

        Observer(StreamObserver<byte[]> answers) {
            this.answers = answers;
        }

        @Override
        public void onError(Throwable failure) {
            Commands.print("SERVER FAILED " + failure);
            answers.onError(failure);
        }
    }
}
