package org.ucxnio.bench.launch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ucxnio.bench.child.Host;

/**
 * Two network namespaces joined by a pair of virtual interfaces, as two hosts are by a cable. They are gone after {@link #close}, or
 * with this JVM.
 */
final class NetworkPair implements AutoCloseable {
    /** System property of the launcher: a libucx whose {@code tcp} transport works, where the machine's own is too old. */
    static final String LIBUCX = "bench.libucx";

    private static final String SUBNET = "10.213.9.0/24";
    private static final String SERVER_ADDRESS = "10.213.9.1";
    private static final String CLIENT_ADDRESS = "10.213.9.2";
    private static final String INTERFACE = "eth0";
    private static final long PATIENCE_S = 20;
    private static final long POLL_MILLIS = 10;

    private final String server = "ucxnio-bench-" + ProcessHandle.current().pid() + "-s";
    private final String client = "ucxnio-bench-" + ProcessHandle.current().pid() + "-c";
    private final List<String> made = new ArrayList<>();
    private final Thread reaper = new Thread(this::remove, "network-reaper");

    private NetworkPair() {
        Runtime.getRuntime().addShutdownHook(reaper);
    }

    /** Makes the network; {@link UnavailableException}, with what {@code ip} said, where that is not possible. */
    static NetworkPair open() throws LaunchException, InterruptedException {
        NetworkPair pair = new NetworkPair();
        try {
            pair.make();
            return pair;
        } catch (IOException e) {
            pair.close();
            throw new UnavailableException("no network namespaces, which need root and iproute2: " + e.getMessage());
        } catch (InterruptedException e) {
            pair.close();
            throw e;
        }
    }

    private void make() throws IOException, InterruptedException {
        for (String namespace : List.of(server, client)) {
            ip("netns", "add", namespace);
            made.add(namespace);
        }
        ip("-n", server, "link", "add", INTERFACE, "type", "veth", "peer", "name", INTERFACE, "netns", client);
        configure(server, SERVER_ADDRESS);
        configure(client, CLIENT_ADDRESS);
        awaitUp(server);
        awaitUp(client);
    }

    private static void configure(String namespace, String address) throws IOException, InterruptedException {
        ip("-n", namespace, "address", "add", address + "/24", "dev", INTERFACE);
        ip("-n", namespace, "link", "set", "lo", "up");
        ip("-n", namespace, "link", "set", INTERFACE, "up");
    }

    /** UCX leaves out an interface that is not up when a process starts. */
    private static void awaitUp(String namespace) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        while (!ip("-n", namespace, "-oneline", "link", "show", INTERFACE).contains("state UP")) {
            if (System.nanoTime() - end > 0) {
                throw new IOException("the interface of " + namespace + " does not come up");
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    Place server() {
        return place(server);
    }

    Place client() {
        return place(client);
    }

    private static Place place(String namespace) {
        List<String> ours = new ArrayList<>(List.of("-Ducxnio.trust=" + SUBNET, "-Ducxnio.tls=tcp"));
        String libucx = System.getProperty(LIBUCX, "");
        if (!libucx.isEmpty()) {
            ours.add("-Ducxnio.ucx.path=" + libucx);
        }
        return new Place(
                List.of("ip", "netns", "exec", namespace), List.of("-D" + Host.ADDRESS + '=' + SERVER_ADDRESS), ours);
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(reaper);
        remove();
    }

    private void remove() {
        for (String namespace : made) {
            try {
                ip("netns", "delete", namespace);
            } catch (IOException e) {
                System.err.println("left behind: network namespace " + namespace + ": " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
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
