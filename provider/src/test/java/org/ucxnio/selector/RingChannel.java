package org.ucxnio.selector;

import static java.nio.channels.SelectionKey.OP_READ;
import static java.nio.channels.SelectionKey.OP_WRITE;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ucxnio.link.Bell;
import org.ucxnio.transport.TransportWorker;
import org.ucxnio.transport.WorkerGroup;

/**
 * A channel whose rings are two bits that the test sets, beside a TCP connection of the platform's over which the peer sends a byte when
 * a ring that is armed becomes ready. It plays both sides: the methods of {@code peer...} are the peer's.
 */
final class RingChannel extends AbstractSelectableChannel implements TransportChannel {
    private final List<ChannelListener> listeners = new CopyOnWriteArrayList<>();
    private final SocketChannel kernel;
    private final SocketChannel peerKernel;

    /** Operations whose ring is ready. */
    private final AtomicInteger ready = new AtomicInteger();

    /** Operations whose ring is armed: the words that tell the peer to send a byte. */
    private final AtomicInteger armed = new AtomicInteger();

    /** What was armed last: null for the byte over the kernel connection. */
    private volatile Bell bell;

    private volatile int ringOps;

    /** Whether rings have carried something. */
    private volatile boolean paired;

    /** Whether the rings tell by themselves, as UCX does, so that no selector has to look after them. */
    private volatile boolean announces;

    /** How many times more it cannot be armed, as while another thread reads. */
    final AtomicInteger busy = new AtomicInteger();

    /** What moves into rings when the kernel channel is said to be ready next. */
    private volatile int moveTo;

    /** How often the selector looked at the rings. */
    final AtomicLong looks = new AtomicLong();

    /** How often the kernel channel was said to be ready. */
    final AtomicLong kernelEvents = new AtomicLong();

    final AtomicLong tokens = new AtomicLong();
    private volatile boolean forgetful;
    private final ByteBuffer taken = ByteBuffer.allocate(64);

    /** @param ringOps what rings carry from the start; the rest is the kernel's */
    RingChannel(int ringOps) throws IOException {
        super(SelectorProvider.provider());
        this.ringOps = ringOps;
        this.paired = ringOps != 0;
        SelectorProvider platform = SelectorProvider.provider();
        try (ServerSocketChannel server = platform.openServerSocketChannel()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            peerKernel = platform.openSocketChannel();
            peerKernel.connect(server.getLocalAddress());
            kernel = server.accept();
        }
        kernel.configureBlocking(false);
        configureBlocking(false);
    }

    /** The rings carry these from now on, as when a connection moves. */
    void switchTo(int ops) {
        paired = true;
        ringOps = ops;
        signal();
    }

    /** As {@link #switchTo}, found out when the kernel channel is ready next, without a signal. */
    void switchAtNextKernelEvent(int ops) {
        moveTo = ops;
    }

    void announce() {
        announces = true;
    }

    void signal() {
        listeners.forEach(ChannelListener::onReady);
    }

    /** Takes from the rings what made them ready, and tells nobody. */
    void use(int ops) {
        ready.getAndUpdate(now -> now & ~ops);
    }

    int armedFor() {
        return armed.get();
    }

    boolean isReady(int ops) {
        return (ready.get() & ops) != 0;
    }

    int listeners() {
        return listeners.size();
    }

    /** Makes rings ready, and wakes the reader that waits for it. */
    void peerMakesReady(int ops) throws IOException {
        ready.getAndUpdate(now -> now | ops);
        int words = armed.get();
        while ((words & ops) != 0) {
            if (armed.compareAndSet(words, words & ~ops)) {
                wake(bell);
                return;
            }
            words = armed.get();
        }
    }

    private void wake(Bell rung) throws IOException {
        if (forgetful) {
            return;
        }
        if (rung == null) {
            peerSends();
            return;
        }
        ring(ByteBuffer.allocate(Bell.BYTES).putLong(0, rung.name()).array());
    }

    /** Puts something into the pipe of the bell that it was armed for last. */
    void ring(byte... bytes) throws IOException {
        try (FileOutputStream pipe = new FileOutputStream("/proc/self/fd/" + bell.descriptor(), true)) {
            pipe.write(bytes);
        }
    }

    /** The peer wakes nobody any more. */
    void forgetsToRing() {
        forgetful = true;
    }

    boolean isArmedForBell() {
        return armed.get() != 0 && bell != null;
    }

    /** Sends one byte over the kernel connection. */
    void peerSends() throws IOException {
        peerKernel.write(ByteBuffer.allocate(1));
    }

    // -- for selectors -----------------------------------------------------------------------------------------------

    @Override
    public int validOps() {
        return OP_READ | OP_WRITE;
    }

    @Override
    public SelectableChannel kernelChannel() {
        return kernel;
    }

    @Override
    public boolean isKernelsAlone() {
        return !paired;
    }

    @Override
    public int transportReadyOps(int interest) {
        looks.getAndIncrement();
        return ready.get() & ringOps & interest;
    }

    @Override
    public TransportWorker bindTo(WorkerGroup group) {
        return null;
    }

    @Override
    public int ringOps() {
        return announces ? 0 : ringOps;
    }

    @Override
    public int kernelOps(int interest) {
        return interest & ~ringOps | ((interest & ringOps) != 0 ? OP_READ : 0);
    }

    @Override
    public int onKernelReady(int ops) {
        kernelEvents.getAndIncrement();
        paired |= moveTo != 0;
        ringOps |= moveTo;
        if (ringOps == 0) {
            return ops;
        }
        if ((ops & OP_READ) != 0 && takeTokens() > 0 && listeners.size() > 1) {
            // The byte was meant for all.
            signal();
        }
        return ops & ~OP_READ & ~ringOps;
    }

    /** Several selectors may be at it. */
    private synchronized int takeTokens() {
        int all = 0;
        try {
            for (int count = 1; count > 0; all += Math.max(0, count)) {
                taken.clear();
                count = kernel.read(taken);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        tokens.addAndGet(all);
        return all;
    }

    @Override
    public boolean arm(int ops, Bell ofSelector) {
        if (busy.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            return false;
        }
        // One selector alone would hear its bell.
        bell = listeners.size() > 1 ? null : ofSelector;
        armed.getAndUpdate(now -> now | ops);
        return (ready.get() & ops) == 0;
    }

    /** What another selector has armed stays so. */
    @Override
    public void disarm() {
        if (listeners.size() <= 1) {
            armed.set(0);
        }
    }

    @Override
    public void addListener(ChannelListener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(ChannelListener listener) {
        listeners.remove(listener);
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        kernel.close();
        peerKernel.close();
        listeners.forEach(ChannelListener::releaseKernelKey);
    }

    @Override
    protected void implConfigureBlocking(boolean block) {
        // never blocks
    }
}
