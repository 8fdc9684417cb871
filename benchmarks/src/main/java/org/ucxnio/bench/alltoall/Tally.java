package org.ucxnio.bench.alltoall;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;
import org.ucxnio.bench.measure.ProcessorTime;

/**
 * Counts what a process sends and receives, and tells others on a port that {@code java.net.Socket} carries, which no selector
 * provider touches.
 */
final class Tally {
    private static final int BACKLOG = 1;
    private static final int TIMEOUT_MILLIS = 10_000;

    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();

    /**
     * The counts of a process at a moment.
     *
     * @param sent messages that it sent so far
     * @param received messages that it received so far
     * @param processorNanos processor time that it used so far
     * @param nanos the moment, by the clock that all processes of a host share
     */
    record Count(long sent, long received, long processorNanos, long nanos) {}

    void countSent() {
        sent.increment();
    }

    void countReceived() {
        received.increment();
    }

    Count count() {
        return new Count(sent.sum(), received.sum(), ProcessorTime.own(), System.nanoTime());
    }

    /** Tells every process of this host that asks; returns the port. */
    int tell() throws IOException {
        ServerSocket listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(() -> answer(listener), "tally");
        thread.setDaemon(true);
        thread.start();
        return listener.getLocalPort();
    }

    private void answer(ServerSocket listener) {
        while (true) {
            try (Socket caller = listener.accept()) {
                Count count = count();
                DataOutputStream out = new DataOutputStream(caller.getOutputStream());
                out.writeLong(count.sent());
                out.writeLong(count.received());
                out.writeLong(count.processorNanos());
                out.writeLong(count.nanos());
            } catch (IOException e) {
                // The caller is gone: the next one may ask.
                e.printStackTrace();
            }
        }
    }

    /** The counts of the process that tells them on {@code port}. */
    static Count of(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            return new Count(in.readLong(), in.readLong(), in.readLong(), in.readLong());
        }
    }
}
