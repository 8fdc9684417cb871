package org.ucxnio.channel;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.ucxnio.counters.Log;

/** All connections are the kernel's; clients of this host find the process by the listener's name. */
final class KernelDoor {
    private final UcxServerSocketChannel owner;
    private final ChannelServices services;
    private final ServerSocketChannel kernel;
    private final Listeners listeners;

    /** Written once, by the binding thread. */
    private volatile Closeable name;

    KernelDoor(
            UcxServerSocketChannel owner, ChannelServices services, ServerSocketChannel kernel, Listeners listeners) {
        this.owner = owner;
        this.services = services;
        this.kernel = kernel;
        this.listeners = listeners;
    }

    void bound(InetSocketAddress local) {
        if (services.host() != null) {
            name = services.host().listening(local);
        }
    }

    /** Gives up a port that the application wants for itself, and a session of ours holds; false where none does. */
    boolean yieldPort(int port) {
        return services.host() != null && services.host().yieldPort(port);
    }

    UcxSocketChannel acceptNow() throws IOException {
        return adopted(accept());
    }

    UcxSocketChannel acceptWaiting(long timeoutNanos) throws IOException {
        if (timeoutNanos == 0) {
            return acceptNow();
        }
        // Only the socket view of the kernel's channel knows a timeout.
        kernel.socket().setSoTimeout((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
        try {
            return adopted(kernel.socket().accept().getChannel());
        } catch (SocketTimeoutException e) {
            return null;
        } catch (IOException e) {
            closeOwner();
            throw e;
        }
    }

    private SocketChannel accept() throws IOException {
        try {
            return kernel.accept();
        } catch (ClosedChannelException e) {
            closeOwner();
            throw e;
        }
    }

    /** The kernel channel closes itself when a thread in it is interrupted; ours must not stay open without it. */
    private void closeOwner() throws IOException {
        if (!kernel.isOpen()) {
            owner.close();
        }
    }

    private UcxSocketChannel adopted(SocketChannel accepted) throws IOException {
        if (accepted == null) {
            return null;
        }
        try {
            return new UcxSocketChannel(services, accepted, services.plainReason());
        } catch (IOException | RuntimeException | Error e) {
            accepted.close();
            throw e;
        }
    }

    void configureBlocking(boolean block) throws IOException {
        if (block) {
            // A key of the inner selector may outlive ours, cancelled before, until that one selects again.
            listeners.releaseKernelKeys();
        }
        kernel.configureBlocking(block);
    }

    void close() throws IOException {
        Closeable held = name;
        if (held != null) {
            try {
                held.close();
            } catch (IOException e) {
                Log.debug("The name of a listener is left behind: " + e);
            }
        }
        kernel.close();
    }
}
