package org.ucxnio.channel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.ucxnio.link.Bells;
import org.ucxnio.link.RingLane;
import org.ucxnio.link.TestFutexes;

/**
 * Uses connections, cuts the files of their rings short, and makes one more call on each, a write or a read in turns. Prints how many of
 * these calls failed by a reset, and how many by an error that the JVM threw at their caller. Arguments: bytes of a message, where
 * it lies, bytes that are left of a ring, and how often each connection is used before: it has to end in the part of its ring that is cut off.
 */
final class TornMemoryMain {
    static final int CONNECTIONS = 40;

    static final String RESULT = "RESULT ";

    /** Where a message lies before it is sent, and behind it was received. */
    enum Place {
        BUFFER,
        TWO_BUFFERS,
        /** It is received into a buffer. */
        FILE
    }

    private static final int RING = 64 << 10;

    /** Where so much is left of a ring it has its counters, and where the calls are by then is gone. */
    static final int COUNTERS = 4 << 10;

    private final List<ChannelPair> pairs = new ArrayList<>();
    private final List<FileChannel> files = new ArrayList<>();
    private final Place place;
    private final FileChannel sent;
    private final ByteBuffer whole;
    private final ByteBuffer[] parts;

    private TornMemoryMain(int length, Place place) throws IOException {
        this.place = place;
        sent = temporary();
        sent.write(ByteBuffer.allocate(length));
        whole = ByteBuffer.allocateDirect(length);
        parts = new ByteBuffer[] {ByteBuffer.allocate(length / 2), ByteBuffer.allocate(length / 2)};
        for (int i = 0; i < CONNECTIONS; i++) {
            connect();
        }
    }

    public static void main(String[] arguments) throws IOException {
        TornMemoryMain program = new TornMemoryMain(Integer.parseInt(arguments[0]), Place.valueOf(arguments[1]));
        int rounds = CONNECTIONS * Integer.parseInt(arguments[3]);
        for (int i = 0; i < rounds; i++) {
            ChannelPair pair = program.pairs.get(i % CONNECTIONS);
            program.write(pair.client);
            program.read(pair.server);
        }
        for (ChannelPair pair : program.pairs) {
            program.write(pair.client);
        }
        for (FileChannel file : program.files) {
            file.truncate(Integer.parseInt(arguments[2]));
        }
        System.out.println(RESULT + program.touchAll());
        // Closing touches more, and is not what is asked here.
        Runtime.getRuntime().halt(0);
    }

    private void connect() throws IOException {
        ChannelPair pair = new ChannelPair();
        pairs.add(pair);
        pair.pair(
                new RingLane(pair.memory, pair.memory.hold(map()), new Bells(), TestFutexes.reached()),
                new RingLane(pair.memory, pair.memory.hold(map()), new Bells(), TestFutexes.reached()));
        pair.client.configureBlocking(false);
        pair.server.configureBlocking(false);
    }

    private static FileChannel temporary() throws IOException {
        Path path = Files.createTempFile("ring", null);
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Files.delete(path);
        return file;
    }

    private ByteBuffer map() throws IOException {
        FileChannel file = temporary();
        files.add(file);
        return file.map(FileChannel.MapMode.READ_WRITE, 0, RING).order(ByteOrder.nativeOrder());
    }

    private long write(UcxSocketChannel channel) throws IOException {
        if (place == Place.FILE) {
            return channel.transfer(sent, 0, sent.size());
        }
        if (place == Place.TWO_BUFFERS) {
            parts[0].clear();
            parts[1].clear();
            return channel.write(parts);
        }
        return channel.write(whole.clear());
    }

    private long read(SocketChannel channel) throws IOException {
        if (place == Place.TWO_BUFFERS) {
            parts[0].clear();
            parts[1].clear();
            return channel.read(parts);
        }
        return channel.read(whole.clear());
    }

    private String touchAll() {
        int failed = 0;
        int hit = 0;
        for (int i = 0; i < CONNECTIONS; i++) {
            try {
                failed += fails(i) ? 1 : 0;
            } catch (InternalError e) {
                hit++;
            }
        }
        return failed + " " + hit;
    }

    private boolean fails(int connection) {
        try {
            if (connection % 2 == 0) {
                write(pairs.get(connection).client);
            } else {
                read(pairs.get(connection).server);
            }
            return false;
        } catch (IOException e) {
            return e.getMessage().startsWith("Connection reset");
        }
    }
}
