package org.ucxnio.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.ucxnio.loop.OutOfLine;

/**
 * A socket channel: accelerated where its peer is, an ordinary kernel connection otherwise. It keeps the contract of the JDK's own;
 * see the package for its locks.
 */
public final class UcxSocketChannel extends AddressedChannel {
    private final ChannelServices services;

    /** Arguments of a read and a write of one buffer; guarded by the read and the write lock. */
    private final ByteBuffer[] readOne = new ByteBuffer[1];

    private final ByteBuffer[] writeOne = new ByteBuffer[1];

    /** Guarded by stateLock. */
    private Socket adaptor;

    /** Null before a call had to wait whose thread held the lock of the mode. Written with that lock held. */
    private volatile ModeLockCalls modeLockCalls;

    public UcxSocketChannel(ChannelServices services, ProtocolFamily family) throws IOException {
        super(services.provider(), new KernelSocket(services.platform(), family));
        this.services = services;
    }

    /** An accepted connection of the kernel's. */
    UcxSocketChannel(ChannelServices services, SocketChannel accepted, String plainReason) throws IOException {
        super(services.provider(), new KernelSocket(accepted));
        this.services = services;
        KernelStream begun = adopt(accepted, plainReason, false);
        this.state = CONNECTED;
        begun.begin();
    }

    private KernelStream adopt(SocketChannel connected, String reason, boolean opened) throws IOException {
        localAddress = (InetSocketAddress) connected.getLocalAddress();
        remoteAddress = (InetSocketAddress) connected.getRemoteAddress();
        KernelStream begun = new KernelStream(this, connected, services, reason, opened);
        if (kernel.isUrgentInline()) {
            begun.setUrgentInline(true);
        }
        stream = begun;
        return begun;
    }

    // -- connect -----------------------------------------------------------------------------------------------------

    @Override
    public boolean connect(SocketAddress remote) throws IOException {
        InetSocketAddress target = kernel.checkTarget(remote);
        lockBoth();
        try {
            ensureOpen();
            return connectLocked(target, 0);
        } finally {
            unlockBoth();
        }
    }

    /** {@link #connect} in blocking mode, with a bound on the time (0: none); for the socket adaptor. */
    boolean connectBlocking(InetSocketAddress remote, long timeoutNanos) throws IOException {
        InetSocketAddress target = kernel.checkTarget(remote);
        lockBoth();
        try {
            ensureBlocking();
            if (!isOpen()) {
                throw new AsynchronousCloseException();
            }
            return connectLocked(target, timeoutNanos);
        } finally {
            unlockBoth();
        }
    }

    private boolean connectLocked(InetSocketAddress target, long timeoutNanos) throws IOException {
        beginConnect(target);
        boolean connected = true;
        try {
            if (timeoutNanos > 0) {
                kernel.channel().socket().connect(target, (int)
                        Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNanos)));
            } else {
                connected = kernel.channel().connect(target);
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
        // The kernel channel counts from now on.
        listeners.onReady();
        if (connected) {
            become();
        }
        return connected;
    }

    private void beginConnect(InetSocketAddress target) throws IOException {
        stateLock.lock();
        try {
            ensureOpen();
            if (state == CONNECTED) {
                throw new AlreadyConnectedException();
            }
            if (state == CONNECTING) {
                throw new ConnectionPendingException();
            }
            remoteAddress = target;
            state = CONNECTING;
        } finally {
            stateLock.unlock();
        }
    }

    @Override
    public boolean finishConnect() throws IOException {
        lockBoth();
        try {
            ensureOpen();
            if (state == CONNECTED) {
                return true;
            }
            if (state != CONNECTING) {
                throw new NoConnectionPendingException();
            }
            return finish();
        } finally {
            unlockBoth();
        }
    }

    private boolean finish() throws IOException {
        boolean done = false;
        try {
            done = isBlocking() ? finishWaiting() : kernel.channel().finishConnect();
        } catch (AsynchronousCloseException e) {
            close();
            throw e;
        } catch (ClosedChannelException e) {
            close();
            throw new AsynchronousCloseException();
        } catch (IOException e) {
            close();
            throw e;
        }
        if (done) {
            become();
        }
        return done;
    }

    private boolean finishWaiting() throws IOException {
        boolean done = false;
        try {
            begin();
            done = kernel.channel().finishConnect();
        } finally {
            end(done);
        }
        return done;
    }

    private void become() throws IOException {
        KernelStream begun;
        stateLock.lock();
        try {
            if (state != CONNECTING) {
                // Closed by another thread.
                throw new AsynchronousCloseException();
            }
            begun = adopt(kernel.channel(), services.plainReason(), true);
            state = CONNECTED;
        } finally {
            stateLock.unlock();
        }
        listeners.onReady();
        begun.begin();
    }

    // -- read and write ----------------------------------------------------------------------------------------------

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        Objects.requireNonNull(target);
        readLock.lock();
        try {
            KernelStream connected = ensureOpenAndConnected();
            if (inputShutdown) {
                return -1;
            }
            boolean alone = connected.readsKernelAlone();
            int count = alone || target.isReadOnly() ? 0 : connected.readAtOnce(target);
            if (count != 0) {
                return count;
            }
            if (!ModeLockCalls.isOne(this, target)) {
                return alone ? (int) connected.readAlone(target) : readOne(target, 0);
            }
        } finally {
            unlockRead();
        }
        return modeLockCalls().read(target);
    }

    /** With the lock of the mode held. */
    private ModeLockCalls modeLockCalls() {
        if (modeLockCalls == null) {
            modeLockCalls = new ModeLockCalls(this);
        }
        return modeLockCalls;
    }

    /** {@link #read(ByteBuffer)} in blocking mode, waiting {@code timeoutNanos} at most (0: without bound); for streams. */
    int readBlocking(ByteBuffer target, long timeoutNanos) throws IOException {
        readLock.lock();
        try {
            ensureOpenAndConnected();
            ensureBlocking();
            return readOne(target, timeoutNanos);
        } finally {
            unlockRead();
        }
    }

    private int readOne(ByteBuffer target, long timeoutNanos) throws IOException {
        readOne[0] = target;
        try {
            return (int) readLocked(readOne, 0, 1, timeoutNanos);
        } finally {
            readOne[0] = null;
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, targets.length);
        readLock.lock();
        try {
            return readLocked(targets, offset, length, 0);
        } finally {
            unlockRead();
        }
    }

    /**
     * Looks whether there is anything to do, touching each buffer on the way: one whose memory was freed throws here, before anything
     * has moved.
     */
    private static boolean hasRemaining(ByteBuffer[] buffers, int offset, int length) {
        boolean some = false;
        for (int i = offset; i < offset + length; i++) {
            ByteBuffer buffer = buffers[i];
            if (buffer.hasRemaining()) {
                FileBuffers.checkMemory(buffer);
                some = true;
            }
        }
        return some;
    }

    private long readLocked(ByteBuffer[] targets, int offset, int length, long timeoutNanos) throws IOException {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        KernelStream connected = ensureOpenAndConnected();
        if (inputShutdown) {
            return -1;
        }
        for (int i = offset; i < offset + length; i++) {
            if (targets[i].isReadOnly()) {
                throw new IllegalArgumentException("Read-only buffer");
            }
        }
        return hasRemaining(targets, offset, length) ? connected.read(targets, offset, length, timeoutNanos) : 0;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        Objects.requireNonNull(source);
        if (modeLockCalls != null) {
            modeLockCalls.came();
        }
        writeLock.lock();
        try {
            KernelStream connected = ensureOpenAndConnected();
            ensureOutput();
            boolean alone = connected.writesKernelAlone();
            int count = alone ? 0 : connected.writeAtOnce(source);
            if (count != 0) {
                return count;
            }
            if (!ModeLockCalls.isOne(this, source) || alone && ModeLockCalls.hasRoom(kernel.channel(), source)) {
                return alone ? connected.writeAlone(source) : writeOne(source);
            }
        } finally {
            unlockWrite();
        }
        return modeLockCalls().write(source);
    }

    private int writeOne(ByteBuffer source) throws IOException {
        writeOne[0] = source;
        try {
            return (int) writeLocked(writeOne, 0, 1);
        } finally {
            writeOne[0] = null;
        }
    }

    /** Writes everything, in blocking mode, with no other write in between; for streams. */
    void writeFully(ByteBuffer source) throws IOException {
        writeLock.lock();
        try {
            ensureOpenAndConnected();
            ensureBlocking();
            if (outputShutdown) {
                throw new ClosedChannelException();
            }
            writeOne(source);
            while (source.hasRemaining()) {
                writeRest(source);
            }
        } finally {
            unlockWrite();
        }
    }

    private void writeRest(ByteBuffer source) throws IOException {
        if (!isOpen()) {
            throw new AsynchronousCloseException();
        }
        if (outputShutdown) {
            throw new IOException("Broken pipe");
        }
        writeOne(source);
    }

    /** Sends a byte of urgent data; for the adaptor. */
    UcxSocketChannel sendUrgentData(byte data) throws IOException {
        writeLock.lock();
        try {
            KernelStream connected = ensureOpenAndConnected();
            ensureOutput();
            connected.writeUrgent(data);
            return this;
        } finally {
            unlockWrite();
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, sources.length);
        writeLock.lock();
        try {
            return writeLocked(sources, offset, length);
        } finally {
            unlockWrite();
        }
    }

    private long writeLocked(ByteBuffer[] sources, int offset, int length) throws IOException {
        if (OutOfLine.NEVER) {
            switch (OutOfLine.HERE) {
                case 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 68, 72, 76 -> {}
                default -> {}
            }
        }
        for (int i = 0; i < OutOfLine.EARLY; i++) {}
        KernelStream connected = ensureOpenAndConnected();
        ensureOutput();
        return hasRemaining(sources, offset, length) ? connected.write(sources, offset, length) : 0;
    }

    /** Bytes that can be read without waiting. */
    int available() throws IOException {
        KernelStream connected = ensureOpenAndConnected();
        return inputShutdown ? 0 : connected.available();
    }

    // -- end of stream -----------------------------------------------------------------------------------------------

    @Override
    public SocketChannel shutdownInput() throws IOException {
        KernelStream connected;
        stateLock.lock();
        try {
            ensureOpen();
            if (state != CONNECTED) {
                throw new NotYetConnectedException();
            }
            if (inputShutdown) {
                return this;
            }
            inputShutdown = true;
            connected = stream;
        } finally {
            stateLock.unlock();
        }
        connected.shutdownInput();
        return this;
    }

    @Override
    public SocketChannel shutdownOutput() throws IOException {
        KernelStream connected;
        stateLock.lock();
        try {
            ensureOpen();
            if (state != CONNECTED) {
                throw new NotYetConnectedException();
            }
            if (outputShutdown) {
                return this;
            }
            outputShutdown = true;
            connected = stream;
        } finally {
            stateLock.unlock();
        }
        connected.shutdownOutput();
        return this;
    }

    @Override
    protected void implCloseSelectableChannel() throws IOException {
        KernelStream connected;
        boolean abort;
        boolean registered;
        stateLock.lock();
        try {
            state = CLOSED;
            connected = stream;
            abort = kernel.abortsOnClose();
            registered = isRegistered();
        } finally {
            stateLock.unlock();
        }
        if (connected != null) {
            connected.close(abort, registered);
        } else {
            kernel.channel().close();
        }
        listeners.onReady();
    }

    @Override
    public Socket socket() {
        stateLock.lock();
        try {
            if (adaptor == null) {
                adaptor = SocketAdaptor.of(this);
            }
            return adaptor;
        } finally {
            stateLock.unlock();
        }
    }
}
