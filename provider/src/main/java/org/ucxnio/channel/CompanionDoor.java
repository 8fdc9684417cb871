package org.ucxnio.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.ucxnio.connect.AcceptWatch;
import org.ucxnio.connect.Accepted;
import org.ucxnio.connect.Companion;

/**
 * The kernel's listener for anyone, and beside it a companion for clients over UCX. The kernel's listener is never in blocking mode, as
 * one blocking accept waits for clients of both kinds.
 */
final class CompanionDoor implements Door {
    private static final String PLAIN_CLIENT = "client not accelerated";

    private final UcxServerSocketChannel owner;
    private final ChannelServices services;
    private final AcceptWatch watch;
    private final Arrivals arrivals;
    private final KernelDoor kernelDoor;

    /** Written once, by the binding thread. */
    private volatile Companion companion;

    CompanionDoor(
            UcxServerSocketChannel owner, ChannelServices services, ServerSocketChannel kernel, Listeners listeners)
            throws IOException {
        this.owner = owner;
        this.services = services;
        this.kernelDoor = new KernelDoor(owner, services, kernel, listeners);
        kernel.configureBlocking(false);
        this.arrivals = new Arrivals(kernel, listeners::onReady);
        this.watch = services.connector().watch(kernel, arrivals::kernelAcceptable);
    }

    @Override
    public void bound(InetSocketAddress local, int backlog, Integer receiveBuffer) {
        arrivals.backlog(backlog);
        kernelDoor.bound(local, backlog, receiveBuffer);
        companion = services.connector().openCompanion(local, backlog, receiveBuffer, arrivals);
    }

    @Override
    public boolean yieldPort(int port) {
        return services.connector().yieldPort(port);
    }

    @Override
    public UcxSocketChannel acceptNow() throws IOException {
        Object next = arrivals.poll(this::resumeCompanion);
        if (next instanceof Accepted accelerated) {
            return new UcxSocketChannel(services, accelerated);
        }
        String reason = services.host() == null ? PLAIN_CLIENT : services.plainReason();
        return next == null ? null : new UcxSocketChannel(services, (SocketChannel) next, reason);
    }

    private void resumeCompanion() {
        Companion open = companion;
        if (open != null) {
            open.resume();
        }
    }

    @Override
    public UcxSocketChannel acceptWaiting(long timeoutNanos) throws IOException {
        UcxSocketChannel channel = null;
        try {
            owner.beginBlocking();
            long deadline = System.nanoTime() + timeoutNanos;
            channel = acceptNow();
            while (channel == null && owner.isOpen()) {
                long left = timeoutNanos == 0 ? Long.MAX_VALUE : deadline - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                arrivals.await(watch, left);
                channel = owner.isOpen() ? acceptNow() : null;
            }
        } catch (java.nio.channels.ClosedChannelException e) {
            // Closed while accepting: the end of the blocking call says which way.
        } finally {
            owner.endBlocking(channel != null);
        }
        return channel;
    }

    @Override
    public void configureBlocking(boolean block) {
        // The kernel's listener stays as it is; accepting waits by itself.
    }

    @Override
    public boolean isAcceptable() {
        return !arrivals.isEmpty();
    }

    @Override
    public void receiveBuffer(int bytes) throws IOException {
        Companion open = companion;
        if (open != null) {
            open.receiveBuffer(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        Companion open = companion;
        if (open != null) {
            open.close();
        }
        arrivals.close();
        watch.closeListener();
        kernelDoor.close();
    }
}
