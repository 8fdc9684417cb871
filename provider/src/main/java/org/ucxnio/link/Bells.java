package org.ucxnio.link;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.ucxnio.counters.Log;
import org.ucxnio.jdk.Descriptors;

/**
 * The bells of a peer process, as its writers ring them: the ends for writing of pipes that its selectors sleep on, opened through
 * {@code /proc}. To ring costs a third of a byte over TCP. Thread-safe.
 *
 * <p><b>No byte goes anywhere else.</b> A peer may name any process and descriptor, numbers are used again, and in another PID namespace they
 * are another process's. So the name of the pipe, which the kernel tells, is compared before the descriptor is opened and once it is open.
 * What is no such pipe, or cannot be looked at, is refused, and its selector woken by tokens.
 *
 * <p><b>Nothing here waits.</b> A pipe is opened for both directions, as to open one for writing waits where nobody reads, and is written to
 * without blocking. Who sleeps asks to be rung for {@link #MOST_ASKED} rings at most, and every pipe holds more; one that is full belongs to a peer
 * that has gone wrong, and is rung no more.
 */
public final class Bells implements Closeable {
    /** Rings for which a selector asks its bell to be rung at a time: half of what the smallest pipe of Linux holds, two pages. */
    public static final int MOST_ASKED = 512;

    /** Selectors come and go; the oldest makes room. */
    private static final int MOST_KNOWN = 16;

    /** One that is known. */
    private static final class Known {
        private final Bell bell;

        /** What is put into the pipe. Guarded by this. */
        private final ByteBuffer rung = ByteBuffer.allocate(Bell.BYTES);

        /** Null where it is refused. Guarded by this: a descriptor that is closed may be another file's at once. */
        private RandomAccessFile out;

        Known(Bell bell) {
            this.bell = bell;
        }

        boolean is(int process, int descriptor, long pipe) {
            return bell.pipe() == pipe && bell.descriptor() == descriptor && bell.process() == process;
        }

        synchronized boolean ring(long name) {
            if (out == null) {
                return false;
            }
            rung.putLong(0, name);
            try {
                out.write(rung.array());
                return true;
            } catch (IOException full) {
                close();
                return false;
            }
        }

        synchronized void close() {
            if (out != null) {
                try {
                    out.close();
                } catch (IOException e) {
                    Log.debug("A bell is left open: " + e);
                }
                out = null;
            }
        }

        synchronized void open() {
            try {
                out = openPipe();
            } catch (IOException | RuntimeException e) {
                Log.debug("A bell cannot be rung: " + e);
            }
        }

        private RandomAccessFile openPipe() throws IOException {
            String path = bell.path();
            if (!bell.isAt(path)) {
                return null;
            }
            RandomAccessFile opened = new RandomAccessFile(path, "rw");
            boolean usable = false;
            try {
                if (bell.isAt(Bell.ownPath(Descriptors.of(opened.getFD())))) {
                    Descriptors.neverBlock(opened.getFD());
                    usable = true;
                }
                return usable ? opened : null;
            } finally {
                if (!usable) {
                    opened.close();
                }
            }
        }
    }

    // -- guarded by this --
    private int next;
    private boolean closed;
    // -- end --

    /** Replaced as a whole. */
    private volatile Known[] known = new Known[0];

    /** Wakes the selector that sleeps on a bell; false where it is to be woken otherwise. Allocates for a bell that is not known alone. */
    boolean ring(int process, int descriptor, long pipe, long name) {
        for (Known each : known) {
            if (each.is(process, descriptor, pipe)) {
                return each.ring(name);
            }
        }
        return learn(new Bell(process, descriptor, pipe, name)).ring(name);
    }

    private synchronized Known learn(Bell rung) {
        Known bell = new Known(rung);
        if (closed) {
            return bell;
        }
        bell.open();
        Known[] all = known;
        if (all.length < MOST_KNOWN) {
            Known[] more = Arrays.copyOf(all, all.length + 1);
            more[all.length] = bell;
            known = more;
        } else {
            Known[] others = all.clone();
            others[next].close();
            others[next] = bell;
            next = (next + 1) % MOST_KNOWN;
            known = others;
        }
        return bell;
    }

    /** The session with the peer's process is over. */
    @Override
    public synchronized void close() {
        closed = true;
        for (Known each : known) {
            each.close();
        }
        known = new Known[0];
    }
}
