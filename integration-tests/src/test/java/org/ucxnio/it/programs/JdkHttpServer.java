package org.ucxnio.it.programs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.Executors;

/** The JDK's HTTP server; see {@link HttpUser} for what it serves. Argument: port. */
public final class JdkHttpServer {
    private JdkHttpServer() {}

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 100);
        server.createContext("/pattern/", JdkHttpServer::pattern);
        server.createContext("/echo", JdkHttpServer::echo);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.start();
        Commands.print("LISTENING " + server.getAddress());
        Commands.serve(Map.of());
    }

    private static void pattern(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] words = exchange.getRequestURI().getPath().split("/");
            long length = Long.parseLong(words[3]);
            exchange.sendResponseHeaders(200, length);
            Patterns.write(exchange.getResponseBody(), Long.parseLong(words[2]), length);
        }
    }

    private static void echo(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(body);
        }
    }
}
