package org.ucxnio.channel;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketImpl;

/** Stands where {@link java.net.Socket} wants an implementation; the adaptors override every method that would use it. */
final class UnusedSocketImpl extends SocketImpl {
    private static <T> T unused() {
        throw new AssertionError("A socket adaptor forgot to override a method");
    }

    @Override
    protected void create(boolean stream) {
        unused();
    }

    @Override
    protected void connect(String host, int port) {
        unused();
    }

    @Override
    protected void connect(InetAddress address, int port) {
        unused();
    }

    @Override
    protected void connect(SocketAddress address, int timeout) {
        unused();
    }

    @Override
    protected void bind(InetAddress host, int port) {
        unused();
    }

    @Override
    protected void listen(int backlog) {
        unused();
    }

    @Override
    protected void accept(SocketImpl socket) {
        unused();
    }

    @Override
    protected InputStream getInputStream() {
        return unused();
    }

    @Override
    protected OutputStream getOutputStream() {
        return unused();
    }

    @Override
    protected int available() {
        return unused();
    }

    @Override
    protected void close() throws IOException {
        // Socket's own constructor may close what it could not set up.
    }

    @Override
    protected void sendUrgentData(int data) {
        unused();
    }

    @Override
    public Object getOption(int id) {
        return unused();
    }

    @Override
    public void setOption(int id, Object value) {
        unused();
    }
}
