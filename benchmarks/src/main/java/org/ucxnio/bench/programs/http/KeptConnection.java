package org.ucxnio.bench.programs.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A connection of HTTP/1.1 that is kept alive; one request after another, and every byte of the answers is checked. */
final class KeptConnection implements AutoCloseable {
    private static final int HEAD_BYTES = 4096;
    private static final byte[] END_OF_HEAD = {'\r', '\n', '\r', '\n'};
    private static final String STATUS = "HTTP/1.1 200 ";

    private final SocketChannel channel;
    private final byte[] expected;
    private final ByteBuffer request;
    private final ByteBuffer answer;

    /**
     * @param port where the server listens on this host
     * @param expected the body of each answer
     */
    KeptConnection(int port, byte[] expected) throws IOException {
        this.expected = expected.clone();
        byte[] text =
                ("GET /bytes HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        request = ByteBuffer.allocateDirect(text.length).put(text);
        answer = ByteBuffer.allocate(HEAD_BYTES + expected.length);
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /** Sends a request and waits for all of its answer. */
    void exchange() throws IOException {
        request.flip();
        while (request.hasRemaining()) {
            channel.write(request);
        }
        answer.clear();
        int body = -1;
        while (body < 0 || answer.position() < body + expected.length) {
            if (channel.read(answer) < 0) {
                throw new EOFException("the server has closed the connection");
            }
            body = body < 0 ? endOfHead() : body;
        }
        check(body);
    }

    /** Where the body begins, or -1 where the head has not come to its end. */
    private int endOfHead() {
        byte[] bytes = answer.array();
        for (int i = 0; i <= answer.position() - END_OF_HEAD.length; i++) {
            if (Arrays.equals(bytes, i, i + END_OF_HEAD.length, END_OF_HEAD, 0, END_OF_HEAD.length)) {
                return i + END_OF_HEAD.length;
            }
        }
        return -1;
    }

    private void check(int body) throws IOException {
        String head = new String(answer.array(), 0, body, StandardCharsets.ISO_8859_1);
        int end = body + expected.length;
        boolean right = head.startsWith(STATUS)
                && answer.position() == end
                && Arrays.equals(answer.array(), body, end, expected, 0, expected.length);
        if (!right) {
            throw new IOException("not the answer that was expected: " + head);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
