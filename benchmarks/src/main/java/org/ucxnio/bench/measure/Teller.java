package org.ucxnio.bench.measure;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import org.ucxnio.bench.child.Host;
import org.ucxnio.bench.child.Lifeline;

/**
 * Tells other processes of this host what they ask for on a port. {@code java.net.Socket} carries it, which no selector provider touches,
 * and nothing is open or runs between two questions.
 */
public final class Teller {
    /** Stands for any free port. */
    public static final int ANY = 0;

    private static final int BACKLOG = 1;
    private static final int TIMEOUT_MILLIS = 10_000;

    private Teller() {}

    /** Writes what is told. */
    @FunctionalInterface
    public interface Answer {
        void write(DataOutputStream out) throws IOException;
    }

    /** Reads what is told. */
    @FunctionalInterface
    public interface Reading<T> {
        T from(DataInputStream in) throws IOException;
    }

    /** Answers every process that asks on {@code port} from now on; returns the port. An answer that cannot be given ends the JVM. */
    public static int start(int port, Answer answer) throws IOException {
        ServerSocket listener = new ServerSocket(port, BACKLOG, Host.address());
        Thread thread = new Thread(() -> Lifeline.run(() -> serve(listener, answer)), "teller");
        thread.setDaemon(true);
        thread.start();
        return listener.getLocalPort();
    }

    private static void serve(ServerSocket listener, Answer answer) {
        while (true) {
            try (Socket caller = listener.accept()) {
                DataOutputStream out = new DataOutputStream(caller.getOutputStream());
                answer.write(out);
                out.flush();
            } catch (IOException e) {
                // The caller is gone: the next one may ask.
                e.printStackTrace();
            }
        }
    }

    /** Asks the process that tells on {@code port}. */
    public static <T> T ask(int port, Reading<T> reading) {
        try (Socket socket = new Socket(Host.address(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            return reading.from(new DataInputStream(socket.getInputStream()));
        } catch (IOException e) {
            throw new UncheckedIOException("a process of this benchmark does not answer", e);
        }
    }
}
