package org.ucxnio.link;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;
import org.ucxnio.counters.Counter;
import org.ucxnio.ring.Block;
import org.ucxnio.ring.RingIn;
import org.ucxnio.ring.RingMemory;
import org.ucxnio.ring.RingOut;
import org.ucxnio.ring.Waits;

/** A stream that goes through rings, one behind the other, each larger than the one before. */
final class RingSink implements Sink {
    private static final int GROWTH = 4;

    /** Through a ring of this size threads that wait for each other stream no slower than through TCP. */
    private static final int WORTH_BYTES = 16 << 10;

    private static final long GROW_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final RingMemory memory;
    private final Tokens tokens;
    private final Sleepers sleepers;

    /** Written by the owner with the monitor held; read by any. */
    private volatile RingOut ring;

    /** The last write had no room left, and no larger ring was to be had though the session lives. The owner's. */
    private boolean cramped;

    /** The last record says that the stream goes on over TCP, and nobody reads it. The owner's. */
    private boolean over;

    /** How the reader left a block that the stream has gone on from; 0 where it did not. Written by the owner. */
    private volatile int readerLeft;

    /** The process ends in order. Guarded by the monitor. */
    private boolean exits;

    /** When a larger ring is tried again, where one could not be had. The owner's. */
    private long growAfter = System.nanoTime();

    RingSink(RingMemory memory, Block block, Carried connection, Sleepers sleepers) {
        this.memory = memory;
        this.tokens = connection.tokens();
        this.sleepers = sleepers;
        this.ring = new RingOut(block);
    }

    /** The peer, which looks at the ring by now, takes from the kernel what went there before. */
    @Override
    public boolean switchAt(long position) {
        ring.switchAt(position);
        return true;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length, int most) throws IOException {
        checkReader();
        long wanted = 0;
        for (int i = offset; i < offset + length; i++) {
            wanted += sources[i].remaining();
        }
        RingOut to = ring;
        long count = to.write(sources, offset, length, wanted);
        // Otherwise the writer and the reader of one call would wait for each other several times.
        int largest = wanted > most / 2 ? MAX_BYTES : most;
        while (count < wanted && grow(wanted - count, largest)) {
            count += ring.write(sources, offset, length, wanted - count);
        }
        if (count > 0) {
            Counter.RING_BYTES_SENT.add(count);
            wakeReader(ring);
        }
        return count;
    }

    @Override
    public int writeAtOnce(ByteBuffer source) throws IOException {
        RingOut to = ring;
        if (readerLeft() != 0 || !memory.isAlive() || tokens.isEnded()) {
            return 0;
        }
        int count = to.writeWhole(source);
        if (count > 0) {
            Counter.RING_BYTES_SENT.add(count);
            wakeReader(to);
        }
        return count;
    }

    @Override
    public int writeFile(FileChannel file, long position, long count, int most) throws IOException {
        checkReader();
        int written = ring.writeFile(file, position, count);
        if (written == 0 && !ring.hasRoom() && grow(1, most)) {
            written = ring.writeFile(file, position, count);
        }
        if (written > 0) {
            Counter.RING_BYTES_SENT.add(written);
            wakeReader(ring);
        }
        return written;
    }

    @Override
    public boolean writeUrgent(byte value) throws IOException {
        checkReader();
        boolean written = ring.writeUrgent(value) || grow(1, MAX_BYTES) && ring.writeUrgent(value);
        if (written) {
            wakeReader(ring);
        }
        return written;
    }

    private void wakeReader(RingOut of) {
        int how = of.takeReaderWait();
        if (how != Waits.NOT) {
            sleepers.wakeReader(how, of);
        }
    }

    private void checkReader() throws SocketException {
        int left = readerLeft();
        if (left != 0) {
            throw new SocketException(left == RingIn.READ_TO_THE_END ? "Broken pipe" : "Connection reset");
        }
        if (!memory.isAlive()) {
            tokens.send();
        }
        if (tokens.isEnded()) {
            throw new SocketException("Connection reset");
        }
    }

    private int readerLeft() {
        return readerLeft == 0 ? ring.readerLeft() : readerLeft;
    }

    /** Makes the ring that the stream goes on in; false where it has to wait for room in this one. */
    private boolean grow(long more, int maxRing) {
        RingOut full = ring;
        cramped = false;
        if (full.bytes() >= maxRing || over || !memory.isAlive()) {
            return false;
        }
        if (System.nanoTime() - growAfter < 0) {
            cramped = true;
            return false;
        }
        int bytes = full.bytes() * GROWTH;
        while (bytes < maxRing && bytes / 2 < more) {
            bytes *= GROWTH;
        }
        Block block;
        try {
            block = memory.allocate(Math.min(bytes, maxRing));
        } catch (IOException e) {
            block = null;
        }
        if (block == null) {
            cramped = memory.isAlive();
            growAfter = System.nanoTime() + GROW_AGAIN_NANOS;
            return false;
        }
        full.moveTo(block);
        synchronized (this) {
            ring = new RingOut(block);
            if (exits) {
                ring.exits();
            }
        }
        wakeReader(full);
        if (full.readerLeft() != 0) {
            // It may have left before it could see where the stream goes on.
            readerLeft = full.readerLeft();
        }
        memory.retire(full.block());
        return true;
    }

    @Override
    public boolean isCramped(boolean waited) {
        return cramped && (waited || ring.bytes() < WORTH_BYTES);
    }

    /** {@inheritDoc} Either the reader sees the record, or this side that it has left, as each looks behind having said so. */
    @Override
    public boolean goBack() {
        RingOut last = ring;
        if (last.readerLeft() != 0) {
            return false;
        }
        last.goBack();
        wakeReader(last);
        readerLeft = last.readerLeft();
        over = readerLeft != 0;
        return !over;
    }

    @Override
    public void endBack() {
        ring.endBack();
    }

    /** {@inheritDoc} Where the ring cannot grow the stream goes back to TCP, which has room. */
    @Override
    public boolean isWritable() {
        return isWritableNow() || ring.bytes() < MAX_BYTES && memory.isAlive();
    }

    @Override
    public boolean isWritableNow() {
        RingOut of = ring;
        return of.hasRoom() || readerLeft() != 0 || tokens.isEnded();
    }

    @Override
    public boolean announces() {
        return false;
    }

    @Override
    public boolean canSleep(boolean virtualThread) {
        return !virtualThread && sleepers.hasFutex() && memory.isAlive();
    }

    @Override
    public boolean arm(int how) {
        RingOut on = ring;
        on.wantRoom(how);
        return !on.hasRoom() && readerLeft() == 0;
    }

    @Override
    public void sleep(long nanos) {
        sleepers.sleep(ring.block().memory(), RingOut.writerWaitsOffset(), nanos);
    }

    @Override
    public void disarm() {
        if (ring.writerWaits() != Waits.NOT) {
            ring.wantRoom(Waits.NOT);
        }
    }

    /** {@inheritDoc} As {@link RingSource#wake}. */
    @Override
    public synchronized void wake() {
        ring.wantRoom(Waits.NOT);
        sleepers.wakeAll(ring.block().memory(), RingOut.writerWaitsOffset());
    }

    @Override
    public synchronized void exits() {
        exits = true;
        ring.exits();
    }

    @Override
    public boolean end(boolean reset) {
        if (!over) {
            ring.end(reset);
        }
        wakeReader(ring);
        memory.retire(ring.block());
        return true;
    }

    @Override
    public void retire() {
        memory.retire(ring.block());
    }
}
