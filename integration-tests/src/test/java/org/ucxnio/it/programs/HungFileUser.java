package org.ucxnio.it.programs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.ucxnio.it.harness.ChannelIo;
import org.ucxnio.it.harness.Mode;
import org.ucxnio.it.harness.Threads;
import org.ucxnio.it.harness.Traffic;

/**
 * A thread writes a buffer of a file system that hangs, or reads into it; what else goes on. Arguments: mode, {@code write} or
 * {@code read}, ports of two echo servers.
 */
public final class HungFileUser {
    private static final int BYTES = 64;
    private static final int ROUNDS = 100;

    private final Mode mode;
    private final InetSocketAddress[] servers;

    private HungFileUser(Mode mode, InetSocketAddress... servers) {
        this.mode = mode;
        this.servers = servers;
    }

    public static void main(String[] arguments) throws Exception {
        HungPage page;
        try {
            page = HungPage.open();
        } catch (UnsupportedOperationException e) {
            Commands.print("SKIPPED " + e.getMessage());
            return;
        }
        new HungFileUser(Mode.valueOf(arguments[0]), server(arguments[2]), server(arguments[3]))
                .run(page, arguments[1].equals("write"));
    }

    private static InetSocketAddress server(String port) {
        return new InetSocketAddress("127.0.0.1", Integer.parseInt(port));
    }

    private ChannelIo connect(int server) throws IOException {
        return ChannelIo.of(SocketChannel.open(servers[server]), mode);
    }

    private void run(HungPage page, boolean writes) throws Exception {
        ChannelIo hung = connect(0);
        ChannelIo other = connect(0);
        awaitMoved(hung, other);
        if (!writes) {
            hung.writeFully(ByteBuffer.allocate(page.mapped().capacity()));
        }
        CompletableFuture<Integer> result = new CompletableFuture<>();
        Threads.daemon("hung", () -> {
            try {
                ByteBuffer mapped = page.mapped();
                result.complete(writes ? hung.channel().write(mapped) : hung.readSome(mapped));
            } catch (IOException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        page.awaitWaiting();
        Commands.print("HUNG");
        Commands.serve(Map.of(
                "others",
                        () -> {
                            others(other);
                            return "OTHERS " + result.isDone();
                        },
                "release",
                        () -> {
                            page.close();
                            int count = result.get();
                            if (writes) {
                                hung.writeFully(page.mapped());
                            } else {
                                hung.readFully(page.mapped());
                            }
                            exchange(hung, ROUNDS, writes ? page.mapped().capacity() : 0);
                            return "RELEASED " + count;
                        },
                "exit",
                        () -> {
                            System.exit(0);
                            return "";
                        }));
    }

    /** With our provider; the JDK's has nothing to move to. */
    private static void awaitMoved(ChannelIo... ios) throws IOException {
        Traffic traffic;
        do {
            for (ChannelIo io : ios) {
                exchange(io, ROUNDS, 0);
            }
            traffic = Traffic.ofThisJvm();
        } while (traffic.active() && traffic.rings() + traffic.accelerated() < ios.length);
    }

    /** @param before bytes that come first */
    private static void exchange(ChannelIo io, int rounds, int before) throws IOException {
        io.readFully(ByteBuffer.allocate(before));
        ByteBuffer buffer = ByteBuffer.allocate(BYTES);
        for (int round = 0; round < rounds; round++) {
            buffer.clear().put(0, (byte) round);
            io.writeFully(buffer);
            buffer.clear();
            io.readFully(buffer);
            if (buffer.position() < BYTES || buffer.get(0) != (byte) round) {
                throw new IOException("Wrong byte");
            }
        }
    }

    /** Collects the heap, uses a connection, opens new ones, closes all of them. */
    private void others(ChannelIo other) throws IOException {
        System.gc();
        exchange(other, ROUNDS, 0);
        for (int server = 0; server < servers.length; server++) {
            try (ChannelIo fresh = connect(server)) {
                awaitMoved(other, fresh);
            }
        }
        System.gc();
        other.close();
    }
}
