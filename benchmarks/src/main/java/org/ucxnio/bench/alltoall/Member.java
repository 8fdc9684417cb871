package org.ucxnio.bench.alltoall;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.ucxnio.bench.child.Lifeline;
import org.ucxnio.bench.child.Settings;

/**
 * One of the processes. It connects to those with lower numbers, which listen before it starts, and is connected to by the others;
 * with the last connection its threads begin to send, to one process after another.
 */
final class Member {
    private final int number;
    private final int size;
    private final int threads;
    private final int peers;
    private final Tally tally;
    private final Selector selector;
    private final ServerSocketChannel listener;
    private final Thread receiver = thread(this::select, "selector");

    /** The constructor's, then those of {@link #receiver} until it is gone. */
    private final List<Link> links = new ArrayList<>();

    private final List<Thread> senders = new ArrayList<>();
    private volatile boolean ending;

    /**
     * @param settings those of the benchmark, and the process's {@code number} and the {@code ports} of all
     * @param tally counts the messages
     */
    Member(Settings settings, Tally tally) throws IOException {
        this.tally = tally;
        number = settings.integer("number");
        size = settings.integer("size");
        threads = settings.integer("threads");
        if (size < Message.LEAST_BYTES || size % Long.BYTES != 0) {
            throw new IllegalArgumentException("not a size of messages here: " + size);
        }
        String[] ports = settings.text("ports").split(",");
        peers = ports.length - 1;
        selector = Selector.open();
        listener = ServerSocketChannel.open();
        listener.bind(address(ports[number]), ports.length);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        for (int i = 0; i < number; i++) {
            add(SocketChannel.open(address(ports[i])));
        }
    }

    private static InetSocketAddress address(String port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }

    /** Number of its connections once all processes are there. */
    int peers() {
        return peers;
    }

    /** Receives from now on, on a thread of its own. */
    void start() {
        receiver.start();
    }

    /** Takes no end of a connection for a failure from now on. */
    void expectEnd() {
        ending = true;
    }

    /** Ends its threads, and then what it listens on and all connections: a selector that is closed takes keys from whoever looks at them. */
    void close() throws IOException, InterruptedException {
        expectEnd();
        receiver.interrupt();
        receiver.join();
        // All before the first is waited for: it may wait for what another holds.
        senders.forEach(Thread::interrupt);
        for (Thread sender : senders) {
            sender.join();
        }
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }

    private void select() throws IOException {
        while (!ending) {
            selector.select();
            for (SelectionKey key : selector.selectedKeys()) {
                if (key.attachment() instanceof Link link) {
                    link.handle();
                } else {
                    accept();
                }
            }
            selector.selectedKeys().clear();
        }
    }

    private void accept() throws IOException {
        SocketChannel accepted = listener.accept();
        if (accepted != null) {
            add(accepted);
        }
    }

    private void add(SocketChannel channel) throws IOException {
        links.add(new Link(channel, selector, number, size, tally));
        if (links.size() == peers) {
            for (int i = 0; i < threads; i++) {
                int first = i;
                Thread sender = thread(() -> send(first), "sender-" + i);
                senders.add(sender);
                sender.start();
            }
        }
    }

    private void send(int first) throws IOException, InterruptedException {
        for (int i = first; !ending; i = (i + 1) % peers) {
            links.get(i % peers).send();
        }
    }

    private Thread thread(Lifeline.Work work, String name) {
        Thread thread = new Thread(() -> Lifeline.run(() -> runUntilEnd(work)), name);
        thread.setDaemon(true);
        return thread;
    }

    private void runUntilEnd(Lifeline.Work work) throws Exception {
        try {
            work.run();
        } catch (IOException | InterruptedException | CancelledKeyException e) {
            if (!ending) {
                throw e;
            }
        }
    }
}
