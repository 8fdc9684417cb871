package org.ucxnio.it.programs;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.ucxnio.it.harness.BytePattern;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Node;
import org.ucxnio.it.harness.Threads;
import org.ucxnio.it.harness.Traffic;

/**
 * One end of connections as a process. A line of standard input is a number and a command; each command runs on a thread
 * of its own and is answered by a line with its number. Both ends of a connection know the seed of its bytes.
 */
public final class NodeMain {
    private static final int BUFFER_BYTES = 64 << 10;
    private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Map<String, ServerSocketChannel> listeners = new ConcurrentHashMap<>();
    private final Map<String, End> ends = new ConcurrentHashMap<>();

    private final Collection<Closeable> held = new ConcurrentLinkedQueue<>();

    private NodeMain() {}

    /** One connection and how far along the streams of both directions it is. */
    private record End(ChannelIo io, BytePattern incoming, BytePattern outgoing) {}

    public static void main(String[] arguments) throws IOException {
        NodeMain node = new NodeMain();
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "command");
            thread.setDaemon(true);
            return thread;
        });
        print(Node.READY);
        try (var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            String line = commands.readLine();
            while (line != null) {
                String[] words = line.split(" ", 2);
                threads.execute(() -> node.answer(words[0], words[1]));
                line = commands.readLine();
            }
        }
        System.exit(0);
    }

    private static void print(String line) {
        synchronized (System.out) {
            System.out.println(line);
            System.out.flush();
        }
    }

    private void answer(String id, String command) {
        String answer;
        try {
            answer = "ok " + execute(command.split(" "));
        } catch (IOException | RuntimeException e) {
            answer = "failed " + command + ": " + e;
        }
        print(Node.ANSWER + id + " " + answer.replace('\n', '|'));
    }

    private String execute(String[] words) throws IOException {
        return switch (words[0]) {
            case "listen" -> listen(words[1], words[2], Integer.parseInt(words[3]), words.length > 4);
            case "closeListener" -> closeListener(words[1]);
            case "drain" -> drain(words[1]);
            case "acceptAll" -> acceptAll(words[1], words[2], words[3], Long.parseLong(words[4]));
            case "accept" ->
                open(words[1], listeners.get(words[2]).accept(), words[3], Long.parseLong(words[4]), false);
            case "connect" -> open(words[1], connect(words[2], words[3]), words[4], Long.parseLong(words[5]), true);
            case "write" -> write(ends.get(words[1]), Long.parseLong(words[2]));
            case "read" -> read(ends.get(words[1]), Long.parseLong(words[2]));
            case "readToEnd" -> read(ends.get(words[1]), Long.MAX_VALUE);
            case "shutdownOutput" ->
                ends.get(words[1]).io().channel().shutdownOutput().toString();
            case "close" -> close(words[1]);
            case "writeCloseExit" -> writeCloseExit(words[1], Long.parseLong(words[2]));
            case "writeExit" -> writeExit(words[1], Long.parseLong(words[2]));
            case "traffic" -> Traffic.ofThisJvm().toLine();
            case "has" -> Boolean.toString(ends.containsKey(words[1]));
            case "rename" -> rename(words[1], words[2]);
            case "report" -> org.ucxnio.UcxNio.report();
            case "collect" -> collect();
            case "work" -> work();
            case "hold" -> hold(Integer.parseInt(words[1]));
            default -> throw new IllegalArgumentException("Unknown command");
        };
    }

    /** Half a processor is busy from now on with what else a program does. */
    private static String work() {
        Threads.daemon("work", () -> {
            while (true) {
                long start = System.nanoTime();
                while (System.nanoTime() - start < WORK_NANOS) {
                    Thread.onSpinWait();
                }
                LockSupport.parkNanos(WORK_NANOS);
            }
        });
        return "";
    }

    /** Uses up so many descriptors for good, those with the lowest numbers. */
    private String hold(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            held.add(new FileInputStream("/dev/null"));
        }
        return "";
    }

    private String listen(String name, String host, int port, boolean isShared) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        if (isShared) {
            listener.setOption(StandardSocketOptions.SO_REUSEPORT, true);
        }
        listener.bind(new InetSocketAddress(host, port), 200);
        listeners.put(name, listener);
        return "";
    }

    private String closeListener(String name) throws IOException {
        listeners.remove(name).close();
        return "";
    }

    /** Closes the connections that nobody has accepted. */
    private String drain(String listener) throws IOException {
        ServerSocketChannel channel = listeners.get(listener);
        int count = 0;
        channel.configureBlocking(false);
        for (SocketChannel left = channel.accept(); left != null; left = channel.accept()) {
            left.close();
            count++;
        }
        channel.configureBlocking(true);
        return Integer.toString(count);
    }

    /** Accepts whatever comes, in the background, and names each connection after its client's port. */
    private String acceptAll(String prefix, String listener, String mode, long seed) {
        Threads.daemon("acceptor", () -> {
            try {
                while (true) {
                    SocketChannel channel = listeners.get(listener).accept();
                    int port = ((InetSocketAddress) channel.getRemoteAddress()).getPort();
                    open(prefix + port, channel, mode, seed, false);
                    print("ACCEPTED " + prefix + port);
                }
            } catch (IOException e) {
                print("NO MORE " + e);
            }
        });
        return "";
    }

    private static SocketChannel connect(String host, String port) throws IOException {
        return SocketChannel.open(new InetSocketAddress(host, Integer.parseInt(port)));
    }

    private String open(String name, SocketChannel channel, String mode, long seed, boolean client) throws IOException {
        BytePattern up = new BytePattern(seed);
        BytePattern down = new BytePattern(~seed);
        ChannelIo io = ChannelIo.of(channel, Mode.valueOf(mode));
        ends.put(name, client ? new End(io, down, up) : new End(io, up, down));
        return channel.getLocalAddress() + " " + channel.getRemoteAddress();
    }

    private static String write(End end, long count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long left = count;
        while (left > 0) {
            buffer.clear().limit((int) Math.min(left, BUFFER_BYTES));
            left -= buffer.remaining();
            end.outgoing().fill(buffer);
            end.io().writeFully(buffer.flip());
        }
        return Long.toString(count);
    }

    /** Reads this many bytes, or fewer where the stream ends; returns how many came. */
    private static String read(End end, long count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
        long total = 0;
        while (total < count) {
            buffer.clear().limit((int) Math.min(count - total, BUFFER_BYTES));
            int length = end.io().readSome(buffer);
            if (length < 0) {
                return Long.toString(total);
            }
            end.incoming().verify(buffer.flip());
            total += length;
        }
        return Long.toString(total);
    }

    private String rename(String from, String to) {
        ends.put(to, ends.remove(from));
        return "";
    }

    private static String collect() {
        System.gc();
        return "";
    }

    private String close(String name) throws IOException {
        ends.remove(name).io().close();
        return "";
    }

    private String writeCloseExit(String name, long count) throws IOException {
        write(ends.get(name), count);
        close(name);
        return exit();
    }

    private String writeExit(String name, long count) throws IOException {
        write(ends.get(name), count);
        return exit();
    }

    private static String exit() {
        System.exit(0);
        return "";
    }
}
