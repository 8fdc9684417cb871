package org.ucxnio.it.programs;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * The JDK's HTTP client. It checks what a server answers to {@code GET /pattern/SEED/LENGTH} and that {@code POST /echo} gives back
 * what it sent. It does not read before all of a body has left, so the server takes that in before it answers. With TLS it takes HTTP/2
 * where the server has it. Arguments: port, seed, and the version of HTTP that answers are to have.
 */
public final class HttpUser {
    private static final int ROUNDS = 60;
    private static final int CONCURRENT = 12;

    /** Of one connection. */
    private static final int STREAMS = 100;

    private static final int LONGEST = 60_000;
    private static final int LARGE = 4 << 20;

    private final HttpClient client;
    private final String server;
    private final SplittableRandom random;
    private final HttpClient.Version version;

    private HttpUser(HttpClient client, String server, SplittableRandom random, HttpClient.Version version) {
        this.client = client;
        this.server = server;
        this.random = random;
        this.version = version;
    }

    public static void main(String[] arguments) throws Exception {
        HttpClient client =
                Tls.isOn() ? HttpClient.newBuilder().sslContext(Tls.context()).build() : HttpClient.newHttpClient();
        HttpClient.Version version = HttpClient.Version.valueOf(arguments[2]);
        HttpUser user = new HttpUser(
                client,
                (Tls.isOn() ? "https" : "http") + "://127.0.0.1:" + arguments[0],
                new SplittableRandom(Long.parseLong(arguments[1])),
                version);
        for (int i = 0; i < ROUNDS; i++) {
            user.get(random(user));
            user.post(random(user), i % 2 == 0);
        }
        user.post(LARGE, true);
        user.post(LARGE, false);
        user.stream(LARGE);
        for (int i = 0; i < ROUNDS / CONCURRENT; i++) {
            if (version == HttpClient.Version.HTTP_2) {
                user.getTogether();
            } else {
                user.postTogether();
            }
        }
        Commands.print("DONE");
        Commands.serve(Map.of());
    }

    private static int random(HttpUser user) {
        return user.random.nextInt(LONGEST);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server + path)).timeout(Duration.ofSeconds(20));
    }

    private void get(int length) throws Exception {
        long seed = random.nextLong(1L << 40);
        HttpResponse<byte[]> response = client.send(
                request("/pattern/" + seed + "/" + length).build(), HttpResponse.BodyHandlers.ofByteArray());
        Patterns.verify(checked(response).body(), seed, length);
    }

    private void stream(int length) throws Exception {
        long seed = random.nextLong(1L << 40);
        HttpResponse<InputStream> response = client.send(
                request("/pattern/" + seed + "/" + length).build(), HttpResponse.BodyHandlers.ofInputStream());
        try (InputStream body = checked(response).body()) {
            Patterns.verify(body, seed, length);
        }
    }

    /** Sends a body whose length is said before, or one in chunks. */
    private void post(int length, boolean chunked) throws Exception {
        long seed = random.nextLong();
        byte[] body = Patterns.array(seed, length);
        HttpRequest.BodyPublisher publisher = chunked
                ? HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body))
                : HttpRequest.BodyPublishers.ofByteArray(body);
        HttpResponse<byte[]> response =
                client.send(request("/echo").POST(publisher).build(), HttpResponse.BodyHandlers.ofByteArray());
        Patterns.verify(checked(response).body(), seed, length);
    }

    /** Not posts: a hundred of them at once come to a stop in Tomcat, over any channels. */
    private void getTogether() {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            long seed = random.nextLong(1L << 40);
            int length = random(this);
            HttpRequest request = request("/pattern/" + seed + "/" + length).build();
            running.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
                    .thenAccept(response -> Patterns.verify(checked(response).body(), seed, length)));
        }
        running.forEach(CompletableFuture::join);
    }

    private void postTogether() {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int i = 0; i < CONCURRENT; i++) {
            long seed = random.nextLong();
            int length = random(this);
            HttpRequest request = request("/echo")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(Patterns.array(seed, length)))
                    .build();
            running.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
                    .thenAccept(response -> Patterns.verify(checked(response).body(), seed, length)));
        }
        running.forEach(CompletableFuture::join);
    }

    private <T> HttpResponse<T> checked(HttpResponse<T> response) {
        if (response.version() != version) {
            throw new IllegalStateException("Version " + response.version() + " of " + response.uri());
        }
        if (response.statusCode() != 200) {
            throw new IllegalStateException("Status " + response.statusCode() + " of " + response.uri());
        }
        return response;
    }
}
