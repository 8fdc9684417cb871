package org.ucxnio.it.network;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Two network namespaces joined by a pair of virtual interfaces. They are gone after {@link #close}, or with this JVM. */
final class NetworkLab implements AutoCloseable {
    /** The network both hosts are in. */
    static final String SUBNET = "10.213.7.0/24";

    /** Address of the host that servers run on. */
    static final String SERVER_ADDRESS = "10.213.7.1";

    /** Address of the host that clients run on. */
    static final String CLIENT_ADDRESS = "10.213.7.2";

    /** Names are this, the process that made the namespace, a number, the side. */
    private static final String NAME_PREFIX = "ucxnio-it-";

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final long PATIENCE_S = 20;

    private final String server;
    private final String client;
    private final Thread reaper = new Thread(this::remove, "network-reaper");

    private NetworkLab() {
        String name = NAME_PREFIX + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
        server = name + "-s";
        client = name + "-c";
        Runtime.getRuntime().addShutdownHook(reaper);
    }

    /** Makes the network; throws, with what {@code ip} said, where that is not possible. */
    static NetworkLab open() throws IOException, InterruptedException {
        removeLeftovers();
        NetworkLab lab = new NetworkLab();
        try {
            ip("netns", "add", lab.server);
            ip("netns", "add", lab.client);
            // Made inside the namespaces: no name of this host's own is taken, not even for a moment.
            ip("-n", lab.server, "link", "add", "eth0", "type", "veth", "peer", "name", "eth0", "netns", lab.client);
            configure(lab.server, SERVER_ADDRESS);
            configure(lab.client, CLIENT_ADDRESS);
            awaitUp(lab.server);
            awaitUp(lab.client);
            return lab;
        } catch (IOException | InterruptedException e) {
            lab.close();
            throw e;
        }
    }

    private static void configure(String namespace, String address) throws IOException, InterruptedException {
        ip("-n", namespace, "address", "add", address + "/24", "dev", "eth0");
        ip("-n", namespace, "link", "set", "lo", "up");
        ip("-n", namespace, "link", "set", "eth0", "up");
    }

    /** The kernel takes a moment to call an interface up, and UCX leaves out one that is not when a process starts. */
    private static void awaitUp(String namespace) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!ip("-n", namespace, "-oneline", "link", "show", "eth0").contains("state UP")) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("The interface of " + namespace + " does not come up");
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    /** Words that run a command on the server's host. */
    String[] onServer() {
        return inside(server);
    }

    /** Words that run a command on the client's host. */
    String[] onClient() {
        return inside(client);
    }

    private static String[] inside(String namespace) {
        return new String[] {"ip", "netns", "exec", namespace};
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(reaper);
        remove();
    }

    private void remove() {
        for (String namespace : List.of(server, client)) {
            try {
                if (exists(namespace)) {
                    ip("netns", "delete", namespace);
                }
            } catch (IOException e) {
                System.err.println("Left behind: network namespace " + namespace + ": " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean exists(String namespace) {
        return Files.exists(Path.of("/run/netns", namespace)) || Files.exists(Path.of("/var/run/netns", namespace));
    }

    /** Removes what test processes that were killed could not. */
    private static void removeLeftovers() throws IOException, InterruptedException {
        for (String line : ip("netns", "list").split("\n")) {
            String namespace = line.split(" ")[0];
            if (namespace.startsWith(NAME_PREFIX)) {
                long maker =
                        Long.parseLong(namespace.substring(NAME_PREFIX.length()).split("-")[0]);
                Optional<ProcessHandle> process = ProcessHandle.of(maker);
                if (process.isEmpty()) {
                    ip("netns", "delete", namespace);
                }
            }
        }
    }

    private static String ip(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(words));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command) + " does not end");
        }
        if (process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
        return output;
    }
}
