package org.ucxnio.session;

import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One end of a session, spoken by hand. */
final class RawSession implements AutoCloseable {
    static final byte[] TOKEN = {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};

    private final SocketChannel channel;

    private RawSession(SocketChannel channel) {
        this.channel = channel;
    }

    static RawSession connect(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        return new RawSession(channel);
    }

    static RawSession accept(ServerSocketChannel server) throws IOException {
        return new RawSession(server.accept());
    }

    static ServerSocketChannel listen(Path socket) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket));
        return server;
    }

    /** The hello of a process with rings and that token. */
    static ByteBuffer hello(int version, byte[] token) {
        return Protocol.hello(version, 0, new RingCarrier(null, token, null));
    }

    RawSession greet() throws IOException {
        send(hello(Protocol.VERSION, TOKEN));
        expect(Protocol.HELLO);
        return this;
    }

    void send(ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
            channel.write(message);
        }
    }

    /** The next message but those about slabs; its type is read already. */
    ByteBuffer expect(int type) throws IOException {
        return expect(type, new ArrayList<>());
    }

    /** The numbers of the notes before the next message that is none. */
    List<Integer> notesBefore(int type) throws IOException {
        List<Integer> notes = new ArrayList<>();
        expect(type, notes);
        return notes;
    }

    private ByteBuffer expect(int type, List<Integer> notes) throws IOException {
        while (true) {
            ByteBuffer message = read(read(2).getShort());
            int found = message.get();
            if (found == type) {
                return message;
            }
            if (found != Protocol.NOTE) {
                throw new IOException("Message " + found + " instead of " + type);
            }
            notes.add(message.getInt());
        }
    }

    private ByteBuffer read(int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes) < 0) {
                throw new EOFException();
            }
        }
        return bytes.flip();
    }

    /** Reads on until the other end has closed it. */
    void expectEnd() throws IOException {
        try {
            ByteBuffer rest = ByteBuffer.allocate(4096);
            while (channel.read(rest) >= 0) {
                rest.clear();
            }
        } catch (IOException e) {
            // It had not read all of it.
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
