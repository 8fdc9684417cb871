package org.ucxnio.it.harness;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * Passes connections to 127.0.0.2 on to the same port of 127.0.0.1 and keeps what each client sent. Greetings that name
 * their port stay true that way.
 */
public final class RecordingProxy implements AutoCloseable {
    private final ServerSocket listener = new ServerSocket();
    private final int port;
    private final List<Socket> sockets = new ArrayList<>();
    private final List<ByteArrayOutputStream> recordings = new ArrayList<>();

    public RecordingProxy(int port) throws IOException {
        this.port = port;
        listener.bind(new InetSocketAddress(Addresses.literal("127.0.0.2"), port));
        Threads.daemon("proxy", this::accept);
    }

    /** What the clients sent so far, a connection each, in the order in which they came. */
    public synchronized List<byte[]> recordings() {
        return recordings.stream().map(ByteArrayOutputStream::toByteArray).toList();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(Addresses.literal("127.0.0.1"), port);
                ByteArrayOutputStream recording = new ByteArrayOutputStream();
                synchronized (this) {
                    sockets.addAll(List.of(client, server));
                    recordings.add(recording);
                }
                Threads.daemon("test", () -> pump(client, server, recording));
                Threads.daemon("test", () -> pump(server, client, OutputStream.nullOutputStream()));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private static void pump(Socket from, Socket to, OutputStream recording) {
        byte[] buffer = new byte[8192];
        try {
            InputStream in = from.getInputStream();
            int count = in.read(buffer);
            while (count >= 0) {
                recording.write(buffer, 0, count);
                to.getOutputStream().write(buffer, 0, count);
                count = in.read(buffer);
            }
            to.shutdownOutput();
        } catch (IOException e) {
            closeQuietly(to);
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is of no use any more, closed or not.
        }
    }

    @Override
    public synchronized void close() throws IOException {
        listener.close();
        sockets.forEach(RecordingProxy::closeQuietly);
    }
}
